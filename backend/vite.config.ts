import path from 'node:path'
import { bundleWorkflowCode } from '@temporalio/worker'
import { defineConfig, type Plugin } from 'vite'

/** Workflows run in an isolate of their own and are bundled as Temporal asks for. */
function workflowBundle(): Plugin {
  return {
    name: 'earmark:workflow-bundle',
    async writeBundle(options) {
      const { code } = await bundleWorkflowCode({
        workflowsPath: path.resolve(import.meta.dirname, '../workflows/src/all-workflows.ts'),
        logger: quiet,
      })
      const { writeFile } = await import('node:fs/promises')
      await writeFile(path.join(options.dir ?? 'dist', 'workflow-bundle.js'), code)
    },
  }
}

const nothing = () => undefined
const quiet = {
  log: nothing,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: console.warn,
  error: console.error,
}

// The tests are compiled by the same transformer, so that decorators and their types mean the same in both.
export default defineConfig({
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      output: { entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
      input: {
        main: 'src/main.ts',
        worker: 'src/worker.ts',
        'credits-cli': 'src/credits-cli.ts',
        'projections-cli': 'src/projections-cli.ts',
        'event-store-cli': 'src/event-store-cli.ts',
        doctor: 'src/doctor.ts',
      },
    },
  },
  ssr: { noExternal: [/^@earmark\//] },
  plugins: [workflowBundle()],
})
