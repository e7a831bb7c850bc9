import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  // Packages find each other's sources.
  ssr: { resolve: { conditions: ['source', 'node', 'development|production'] } },
  test: {
    include: ['tests/matrix/*.test.ts'],
    setupFiles: ['scripts/seed.mjs'],
    // Agents are large: one at a time.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
})
