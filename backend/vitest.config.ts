import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['test/servers.ts'],
    setupFiles: ['reflect-metadata'],
    // Two cores: more files at once would only make each of them wait.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
