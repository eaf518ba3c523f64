import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.e2e.spec.ts'],
    // Once, before each file starts a whole product of its own.
    globalSetup: './src/build-product.ts',
    // Two products side by side: one mostly waits for what was killed to be noticed.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // The console tells the seeds and what is skipped.
    disableConsoleIntercept: true,
  },
})
