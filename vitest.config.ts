import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** Files with this ending are too slow for `npm test`: scripts/suites.mjs lists the suites that run them. */
const LONG = '**/*.long.test.ts'
/** Needs a server: npm run test:postgres. */
const POSTGRES = ['packages/postgres/src/**/*.test.ts', '**/*.postgres.test.ts']

function project(
  name: string,
  test: NonNullable<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration {
  // The files of a worker share their imports, which halves the time.
  return { extends: true, test: { name, isolate: false, ...test } }
}

const page = { globalSetup: 'tests/e2e/chromium.ts', testTimeout: 180_000 }

export default defineConfig({
  // Packages find each other's sources, so that no test needs a build. The `module` condition for
  // bundlers is omitted: Node, which loads most packages itself, can't load all of those files.
  ssr: { resolve: { conditions: ['@toolglot/source', 'node', 'development|production'] } },
  test: {
    setupFiles: ['scripts/record-file.mjs'],
    // Most tests spend time waiting: with one file per core, the cores would be idle a third of the
    // time.
    maxWorkers: availableParallelism() + 1,
    // For slow and busy machines: a test that takes this long hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      // npm test
      project('quick', {
        include: [
          'packages/*/src/**/*.test.{ts,tsx}',
          'tests/{clients,workers,oracle,shell}/*.test.ts',
        ],
        exclude: [...POSTGRES, LONG],
        // The tests create many small objects: more room for young ones saves a tenth of the time.
        execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32'],
      }),
      project('page', { include: ['tests/e2e/*.test.ts'], exclude: [LONG], ...page }),
      // Examples in documents change their process, for example by setting up OpenTelemetry.
      project('repository', {
        include: ['{bench,examples,scripts}/**/*.test.ts'],
        exclude: [LONG],
      }),
      // npm run test:NAME
      project('long', {
        include: [
          '{packages/*/src,scripts,examples,tests/{oracle,shell,clients}}/**/*.long.test.ts',
        ],
      }),
      project('long page', { include: ['tests/e2e/*.long.test.ts'], ...page }),
      project('postgres', { include: POSTGRES }),
      project('model', { include: ['tests/model/*.test.ts'], testTimeout: 120_000 }),
      project('matrix', {
        include: ['tests/matrix/*.test.ts'],
        // Agents are large, so they run one at a time.
        fileParallelism: false,
        testTimeout: 300_000,
      }),
      project('cluster', {
        include: ['tests/cluster/*.test.ts'],
        fileParallelism: false,
        testTimeout: 60 * 60_000,
      }),
    ],
  },
})
