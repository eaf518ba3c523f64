import { defineConfig } from 'vite'

// Beside the product's bundle, not in it, and by the same transformer.
export default defineConfig({
  root: import.meta.dirname,
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      output: { entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
      input: {
        main: 'main.ts',
        emmett: 'processes/emmett.ts',
        replica: 'processes/replica.ts',
        projector: 'processes/projector.ts',
        memory: 'processes/memory.ts',
        app: 'processes/app.ts',
        'bare-route': 'processes/bare-route.ts',
        'http-load': 'processes/http-load.ts',
      },
    },
  },
  ssr: { noExternal: [/^@earmark\//] },
})
