// npm run test:postgres: the tests that need Postgres. It comes from npm (60 MB), and is no part of npm test. With
// TOOLGLOT_TEST_POSTGRES=postgres://… they use that one. Arguments are for vitest.
import { spawn } from 'node:child_process'
import { ready, install, root } from './ready.mjs'

const folder = `${root}/tests/postgres`
ready()
install(folder)
const { startPostgres } = await import('../tests/postgres/start-postgres.mjs')

const given = process.env.TOOLGLOT_TEST_POSTGRES
const postgres = given === undefined ? await startPostgres() : undefined
const url = given ?? postgres?.url
const words = process.argv.slice(2)
const files = words.some((word) => !word.startsWith('-'))
  ? []
  : [
      'packages/postgres',
      'packages/cli/src/serve/shared-journal.test.ts',
      'packages/cli/src/commands/journal.test.ts',
    ]
const tests = spawn(
  process.execPath,
  [`${root}/node_modules/vitest/vitest.mjs`, 'run', ...files, ...words],
  { cwd: root, stdio: 'inherit', env: { ...process.env, TOOLGLOT_TEST_POSTGRES: url } },
)
const status = await new Promise((resolve) => tests.on('exit', resolve))
await postgres?.remove()
process.exitCode = status ?? 1
