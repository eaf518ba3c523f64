import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { StorybookConfig } from '@storybook/react-vite'
import { contractRoutes } from '../../frontend/vite-contract.ts'

const require = createRequire(import.meta.url)

const config: StorybookConfig = {
  stories: ['../src/**/*.stories.tsx', '../../frontend/src/**/*.stories.tsx'],
  addons: ['@storybook/addon-a11y', '@storybook/addon-vitest', 'msw-storybook-addon'],
  framework: '@storybook/react-vite',
  // The folder with MSW's worker script, so that no copy of it need be kept.
  staticDirs: [dirname(require.resolve('msw/mockServiceWorker.js')), '../../frontend/public'],
  core: { disableTelemetry: true },
  viteFinal: (vite) => ({ ...vite, plugins: [...(vite.plugins ?? []), contractRoutes()] }),
}

export default config
