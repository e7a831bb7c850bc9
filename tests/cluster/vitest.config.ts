import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  // Packages find each other's sources, so that no test waits for a build.
  ssr: { resolve: { conditions: ['source', 'node', 'development|production'] } },
  test: {
    include: ['tests/cluster/*.test.ts'],
    server: { deps: { inline: ['eventsource-parser'] } },
    setupFiles: ['scripts/seed.mjs'],
    // One cluster at a time.
    fileParallelism: false,
    testTimeout: 60 * 60_000,
    hookTimeout: 60_000,
  },
})
