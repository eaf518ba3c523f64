import type { RouteObject } from 'react-router-dom'
import { LoadingScreen } from '../ui/LoadingScreen.tsx'
import { CrashPage } from './pages/CrashPage.tsx'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { ProtectedShell } from './shell/ProtectedShell.connected.tsx'
import { PublicShell } from './shell/PublicShell.connected.tsx'

export const routes: RouteObject[] = [
  {
    ErrorBoundary: CrashPage,
    HydrateFallback: LoadingScreen,
    children: [
      {
        Component: PublicShell,
        children: [
          {
            path: '/',
            lazy: async () => ({ Component: (await import('./pages/LandingPage.tsx')).LandingPage }),
          },
          {
            path: '/login',
            lazy: async () => ({ Component: (await import('./pages/LoginPage.tsx')).LoginPage }),
          },
          {
            path: '/signup',
            lazy: async () => ({ Component: (await import('./pages/SignUpPage.tsx')).SignUpPage }),
          },
          {
            path: '/pricing',
            lazy: async () => ({ Component: (await import('./pages/PricingPage.tsx')).PricingPage }),
          },
          { path: '*', Component: NotFoundPage },
        ],
      },
      {
        Component: ProtectedShell,
        children: [
          {
            path: '/search',
            lazy: async () => ({ Component: (await import('./pages/SearchPage.tsx')).SearchPage }),
          },
          {
            path: '/episodes/:podcastId',
            lazy: async () => ({ Component: (await import('./pages/EpisodesPage.tsx')).EpisodesPage }),
          },
          {
            path: '/transcript/new',
            lazy: async () => ({
              Component: (await import('./pages/NewTranscriptPage.tsx')).NewTranscriptPage,
            }),
          },
          {
            path: '/transcript/:transcriptId',
            lazy: async () => ({ Component: (await import('./pages/TranscriptPage.tsx')).TranscriptPage }),
          },
          {
            path: '/credits',
            lazy: async () => ({ Component: (await import('./pages/CreditsPage.tsx')).CreditsPage }),
          },
          {
            path: '/payment',
            lazy: async () => ({ Component: (await import('./pages/PaymentPage.tsx')).PaymentPage }),
          },
          {
            path: '/payment/success',
            lazy: async () => ({
              Component: (await import('./pages/PaymentSuccessPage.tsx')).PaymentSuccessPage,
            }),
          },
        ],
      },
    ],
  },
]
