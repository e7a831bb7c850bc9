// Workers that execute runs are tested in serve/shared-journal.postgres.test.ts, which needs a
// database.
import { expect, test } from 'vitest'
import { startCommand } from '../../test/start-command.ts'

test.each([
  [[], 2, 'A worker requires --journal postgres://… or TOOLGLOT_JOURNAL'],
  [['--journal', 'mysql://host/runs'], 2, 'such as postgres://user:password@host/database'],
  [['--journal', 'postgres://127.0.0.1:9/runs'], 1, '127.0.0.1:9'],
  [['--max-runs', '0'], 2, 'must be a positive integer'],
  [['--when-changed', 'never'], 2, 'leave, ask, continue'],
])('refuses %j', async (words, code, message) => {
  const refused = await startCommand(['worker', ...words])
  expect(refused.errors).toContain(message)
  expect(refused).toMatchObject({ code, output: '' })
})

test('accepts the URL from the environment, and never shows its password', async () => {
  const env = { TOOLGLOT_JOURNAL: 'postgres://me:hunter2@127.0.0.1:9/runs' }
  const { code, output, errors } = await startCommand(['worker'], { env })
  expect(code).toBe(1)
  expect(output + errors).not.toContain('hunter2')
})
