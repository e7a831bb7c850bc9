import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { themeFirst } from './theme-first.plugin.ts'

const server = process.env['TOOLGLOT_URL'] ?? 'http://127.0.0.1:4747'

export default defineConfig({
  plugins: [react(), tailwind(), themeFirst()],
  resolve: {
    alias: {
      // Its browser build decodes entities in Markdown with innerHTML, which the page's content
      // security policy forbids.
      'decode-named-character-reference': fileURLToPath(
        import.meta.resolve('decode-named-character-reference'),
      ),
    },
  },
  build: {
    // The page is part of the server's package, so that users of the command don't need Vite.
    outDir: '../server/page',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids `data:` fonts and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licenses of third-party code must be distributed with it.
    license: { fileName: 'LICENSES.md' },
  },
  // `npm run dev -w packages/web` serves the page during development, with a running server
  // (TOOLGLOT_URL).
  server: { proxy: { '/api': server, '/v1': server } },
})
