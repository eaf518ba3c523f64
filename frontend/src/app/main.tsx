import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router-dom'
import '../ui/styles.css'
import { App } from './App.tsx'
import { createAppQueryClient } from './app-query-client.ts'
import { routes } from './routes.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')

createRoot(root).render(<App router={createBrowserRouter(routes)} queryClient={createAppQueryClient()} />)
