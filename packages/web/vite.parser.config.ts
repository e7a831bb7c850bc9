import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { oneFile } from './one-file.plugin.ts'
import { workerSource } from './worker-source.plugin.ts'

// npm run build:parser: the Parser as one file, dist/parser.html, which needs no server.
export default defineConfig({
  plugins: [react(), tailwind(), workerSource(), oneFile()],
  publicDir: false,
  build: {
    outDir: 'dist',
    // What it was built from is noted there.
    emptyOutDir: false,
    target: 'es2022',
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      // Nothing is loaded later, so nothing needs the address of the script.
      checks: { emptyImportMeta: false },
      input: fileURLToPath(new URL('src/parser/static/main.tsx', import.meta.url)),
      output: { format: 'iife', codeSplitting: false },
    },
  },
})
