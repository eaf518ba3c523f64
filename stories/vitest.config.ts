import { fileURLToPath } from 'node:url'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

const launchOptions = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // A click of a test is none of a person's, which playing would ask for.
    '--autoplay-policy=no-user-gesture-required',
  ],
}

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [storybookTest({ configDir: fileURLToPath(new URL('.storybook', import.meta.url)) })],
        // Found late, these would be optimized in the middle of a run, and React would be there twice.
        optimizeDeps: {
          include: [
            'react',
            'react-dom',
            'react-dom/client',
            'react/jsx-runtime',
            'react/jsx-dev-runtime',
            'react-router-dom',
            '@mantine/core',
            '@mantine/hooks',
            '@earmark/frontend > @mantine/charts',
            '@stripe/react-stripe-js',
            '@stripe/stripe-js/pure',
            '@tabler/icons-react',
            '@tanstack/react-query',
            '@orpc/client',
            '@orpc/contract',
            '@orpc/openapi-client/fetch',
            '@orpc/tanstack-query',
            '@supabase/auth-js',
            'altcha/external',
            'msw',
            'msw/browser',
            'msw-storybook-addon/csf3',
            'zod',
          ],
        },
        test: {
          name: 'stories',
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({ launchOptions }),
            instances: [{ browser: 'chromium', viewport: { width: 1280, height: 900 } }],
          },
        },
      },
      { test: { name: 'mocks', include: ['src/**/*.unit.spec.ts'] } },
    ],
  },
})
