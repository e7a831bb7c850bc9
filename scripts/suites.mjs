// The suites in addition to npm test: `npm run test:NAME` runs one of them, `npm run test:all` runs
// all.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './ready.mjs'

/** The vitest projects that `npm test` runs. */
export const quick = ['--project=quick', '--project=page', '--project=repository']
/** The CPU time of each test file in the last complete `npm test`, in seconds. */
export const durations = join(root, 'node_modules/.cache/toolglot/durations.json')

/**
 * @typedef {object} Suite
 * @property {string} about
 * @property {readonly string[]} [installs] folders with separate packages
 * @property {() => readonly string[]} [vitest] projects or files
 * @property {() => Promise<{ setUp(): Promise<import('./suite.mjs').SetUp> }>} [setup] prepares the
 * requirements of the tests
 * @property {readonly (readonly string[])[]} [commands] programs for Node that run before vitest,
 * or instead of it
 * @property {readonly string[]} [short] arguments in `npm run test:all`, for suites whose duration
 * is variable
 */

/** @type {Record<string, Suite>} */
export const suites = {
  long: {
    about:
      'laws on all their cases with a new seed, kills at every point, and slow tests of every package',
    installs: ['tests/clients', 'tests/workers'],
    vitest: longFiles,
  },
  page: {
    about:
      'the page in a real Chromium: every view in every width and theme, faults, hostile content',
    installs: ['tests/e2e'],
    vitest: () => ['--project=page', '--project=long page'],
  },
  postgres: {
    about: 'the journal on a real Postgres (60 MB from npm)',
    installs: ['tests/postgres'],
    setup: () => import('../tests/postgres/suite.mjs'),
    vitest: () => ['--project=postgres'],
  },
  model: {
    about: 'models in GGUF files, with the library that runs them (85 MB from npm)',
    setup: () => import('../tests/model/suite.mjs'),
    vitest: () => ['--project=model'],
  },
  matrix: {
    about: 'real agents talk to the gateway and use our tools, without a network (1.4 GB from npm)',
    setup: () => import('../tests/matrix/suite.mjs'),
    vitest: () => ['--project=matrix'],
  },
  cluster: {
    about:
      'servers and workers on Postgres and Restate (220 MB from npm), killed, paused and restarted',
    installs: ['tests/postgres', 'tests/cluster'],
    // Restate's types are installed only in that folder.
    commands: [['node_modules/typescript/bin/tsc', '-p', 'tests/cluster']],
    vitest: () => ['--project=cluster'],
  },
  'ai-sdk-7': {
    about: 'the middleware with ai 7 on a newer Node (215 MB from npm)',
    installs: ['tests/ai-sdk-7'],
    commands: [
      ['node_modules/typescript/bin/tsc', '-p', 'tests/ai-sdk-7'],
      ['tests/ai-sdk-7/run.mjs'],
    ],
  },
  shell: {
    about: 'a million shell texts: bash must run exactly the words that permissions judged',
    commands: [['tests/shell/main.mjs']],
    short: ['--seconds', '300'],
  },
  oracle: {
    about: 'shell texts that permissions allow, run in a box under strace',
    commands: [['tests/oracle/main.mjs']],
    short: ['--minutes', '5'],
  },
  mutation: {
    about:
      'small changes to the reader, the permission decision and the journal: tests must notice them',
    commands: [['tests/mutation/main.mjs']],
    short: ['--mutants', '60'],
  },
}

/**
 * Tests that are too slow for `npm test`, and those that try more cases here: they, or their
 * helpers, import tests/helpers/size.ts.
 */
function longFiles() {
  const files = [
    'packages',
    'tests/shell',
    'tests/oracle',
    'tests/clients',
    'tests/helpers',
    'scripts',
    'examples',
  ]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
  const importersOf = (/** @type {string} */ name) =>
    files.filter((path) => readFileSync(join(root, path), 'utf8').includes(`/${name}'`))
  const importers = importersOf('size.ts')
  const helpers = importers.filter((path) => !path.endsWith('.test.ts'))
  const all = [
    ...files.filter((path) => path.endsWith('.long.test.ts')),
    ...importers,
    ...helpers.flatMap((path) => importersOf(basename(path))),
  ]
  return [...new Set(all)].filter(
    (path) => path.endsWith('.test.ts') && !/packages\/postgres\/|\.postgres\.test/.test(path),
  )
}
