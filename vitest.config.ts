import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const pure = ['packages/core/src/**/*.test.ts', 'packages/permissions/src/**/*.test.ts']
const packages = ['packages/*/src/**/*.test.ts']
const tests = [
  'bench/**/*.test.ts',
  'examples/**/*.test.ts',
  'scripts/**/*.test.ts',
  'tests/oracle/*.test.ts',
  'tests/shell/*.test.ts',
]
const clients = ['tests/clients/*.test.ts', 'tests/workers/*.test.ts']
const page = ['tests/e2e/*.test.ts']
const aiSdk = ['eventsource-parser', /\/@ai-sdk\//, /\/node_modules\/ai\//]

export default defineConfig({
  // Packages find each other's sources, so that no test waits for a build. Not what is meant for bundlers ('module'): Node,
  // which loads most packages itself, does not understand all of it.
  ssr: { resolve: { conditions: ['source', 'node', 'development|production'] } },
  test: {
    // Others' packages have sources too, which Node cannot read by itself.
    server: { deps: { inline: ['@modelcontextprotocol/client', 'eventsource', ...aiSdk] } },
    setupFiles: ['scripts/seed.mjs'],
    // Most tests wait for something: with one file for each core, the cores would be idle a third of the time.
    maxWorkers: availableParallelism() + 1,
    // Machines are slow and busy: a test that waits this long hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: pure,
          // The files of a package share what they import: that halves their time.
          isolate: false,
          // They make many small objects: with more room for young ones, a tenth of the time is saved.
          execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32'],
        },
      },
      {
        extends: true,
        test: { name: 'packages', include: packages, exclude: pure, isolate: false },
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
      {
        extends: true,
        // A browser, a server and a model share the machine with other tests.
        test: {
          name: 'page',
          include: page,
          globalSetup: 'tests/e2e/chromium.ts',
          // The files share one browser, and what they import.
          isolate: false,
          testTimeout: 180_000,
        },
      },
      { extends: true, test: { name: 'all others', include: tests } },
    ],
  },
})
