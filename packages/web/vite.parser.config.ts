import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { oneFile } from './one-file.plugin.ts'
import { workerSource } from './worker-source.plugin.ts'

// `npm run build:parser` builds the Parser as one file, dist/parser.html, which needs no server.
export default defineConfig({
  plugins: [react(), tailwind(), workerSource(), oneFile()],
  publicDir: false,
  build: {
    outDir: 'dist',
    // The folder also contains the record of its sources.
    emptyOutDir: false,
    target: 'es2022',
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      // There are no later imports, so the script doesn't need its own address.
      checks: { emptyImportMeta: false },
      input: fileURLToPath(new URL('src/parser/static/main.tsx', import.meta.url)),
      output: { format: 'iife', codeSplitting: false },
    },
  },
})
