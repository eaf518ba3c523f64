import type { Preview } from '@storybook/react-vite'
import '../../frontend/src/ui/styles.css'
import { mswLoader } from 'msw-storybook-addon/csf3'
import { configure } from 'storybook/test'
import { apiHandlers } from '../src/mocks/api-handlers.ts'
import { identityHandlers } from '../src/mocks/identity-handlers.ts'
import { startWorker } from '../src/mocks/worker.ts'
import { Surroundings } from '../src/surroundings.tsx'

// A screen's code is fetched when it is first opened, which on a busy machine takes longer than the second that is usual.
configure({ asyncUtilTimeout: 5_000 })

const preview: Preview = {
  loaders: [mswLoader(startWorker)],
  beforeEach: ({ msw }) => {
    window.localStorage.clear()
    msw.use(...identityHandlers, ...Object.values(apiHandlers).flatMap((area) => Object.values(area)))
  },
  decorators: [
    (Story, { globals, parameters }) =>
      // A screen brings the whole application along, a component wants only what the application would give it.
      parameters['isScreen'] === true ? (
        <Story />
      ) : (
        <Surroundings scheme={globals['scheme'] === 'dark' ? 'dark' : 'light'}>
          <Story />
        </Surroundings>
      ),
  ],
  globalTypes: {
    scheme: {
      description: 'Colour scheme',
      toolbar: { title: 'Scheme', icon: 'contrast', items: ['light', 'dark'] },
    },
  },
  initialGlobals: { scheme: 'light' },
  parameters: {
    layout: 'fullscreen',
    a11y: { test: 'error' },
    controls: { expanded: true },
  },
}

export default preview
