import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const pure = ['packages/core/src/**/*.test.ts', 'packages/permissions/src/**/*.test.ts']
const tests = [
  'packages/**/src/**/*.test.ts',
  'bench/**/*.test.ts',
  'examples/**/*.test.ts',
  'scripts/**/*.test.ts',
]
const clients = ['tests/clients/*.test.ts']
const aiSdk = ['eventsource-parser', /\/@ai-sdk\//, /\/node_modules\/ai\//]

export default defineConfig({
  // Packages find each other's sources, so that no test waits for a build.
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
  test: {
    // Others' packages have sources too, which Node cannot read by itself.
    server: { deps: { inline: ['@modelcontextprotocol/client', 'eventsource', ...aiSdk] } },
    setupFiles: ['scripts/seed.mjs'],
    // Most tests wait for something: by default two cores would run one file at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Machines are slow and busy: a test that waits this long hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        // Pure functions share nothing, so their files can share a process: that halves their time.
        test: { name: 'pure', include: pure, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          include: clients,
          // Clients are large: their files share what they import.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'all others', include: tests, exclude: pure } },
    ],
  },
})
