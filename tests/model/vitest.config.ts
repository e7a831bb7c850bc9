import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  // Packages find each other's sources, so that no test waits for a build.
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['tests/model/*.test.ts'],
    server: { deps: { inline: ['eventsource-parser'] } },
    setupFiles: ['scripts/seed.mjs'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
