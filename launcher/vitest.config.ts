import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Creating a database and starting servers takes seconds on a busy machine.
  test: { testTimeout: 60_000, hookTimeout: 60_000 },
})
