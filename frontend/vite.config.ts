import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'
import { contractRoutes } from './vite-contract.ts'

/** The two files without which no screen can be drawn; the italic and the other scripts load when they are used. */
const preloadedFonts = [/inter-latin-wght-normal/, /instrument-serif-latin-400-normal/]

function preloadFonts(): Plugin {
  return {
    name: 'earmark-preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2') && preloadedFonts.some((font) => font.test(file)))
          .map((file): HtmlTagDescriptor => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `/${file}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: 'anonymous',
            },
            injectTo: 'head',
          })),
    },
  }
}

export default defineConfig({
  plugins: [react(), contractRoutes(), preloadFonts()],
  // A strict content security policy has no room for data: fonts or scripts.
  build: { assetsInlineLimit: 0, target: 'baseline-widely-available' },
  server: {
    host: '127.0.0.1',
    proxy: { '/v1': { target: process.env['API_ORIGIN'] ?? 'http://127.0.0.1:4800' } },
  },
})
