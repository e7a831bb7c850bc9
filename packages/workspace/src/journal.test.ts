import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { retentionOf } from './journal.ts'
import { readSettings } from './settings/read-settings.ts'
import { userDirectories } from './user-directories.ts'

function retentionIn(user?: string | object, managed?: object): unknown {
  const home = folderOf({
    ...(user !== undefined && { '.config/toolglot/settings.json': user }),
    ...(managed && { 'etc/settings.json': managed }),
  })
  return retentionOf({ ...userDirectories({ HOME: home }), managed: join(home, 'etc') })
}

test.each<
  [name: string, user: string | object | undefined, managed: object | undefined, kept: unknown]
>([
  ['no settings', undefined, undefined, undefined],
  ['none of it', { model: 'ollama/a' }, {}, undefined],
  ['days', { retention: { days: 7 } }, undefined, { days: 7 }],
  ['runs', { retention: { runs: 5, days: 7 } }, undefined, { runs: 5, days: 7 }],
  ['forever', { retention: false }, undefined, false],
  ["the machine's come first", { retention: false }, { retention: { days: 7 } }, { days: 7 }],
  ["and the user's next", { retention: false }, { model: 'ollama/a' }, false],
  ['an invalid value: nothing is deleted', { retention: { day: 1 } }, undefined, false],
  ['a duplicate key', '{"retention": {"days": 1, "days": 2}}', undefined, false],
  ['it twice', '{"retention": {"days": 1}, "retention": false}', undefined, false],
  ['a mistake elsewhere', { retention: { days: 1 }, permissions: 1 }, undefined, false],
  ["a mistake in the machine's", { retention: { days: 1 } }, { permissions: [] }, false],
  ['a file that is not JSON', '{"retention": ', undefined, false],
])('%s', (_, user, managed, kept) => {
  expect(retentionIn(user, managed)).toEqual(kept)
})

test.each(['project', 'local', 'cli'] as const)('%s settings delete no runs', (scope) => {
  const options = { file: 'settings.json', scope, root: '/' }
  expect(readSettings('{"retention": {"days": 1}}', options)).toMatchObject({
    values: [],
    problems: [],
    warnings: [{ line: 1, reason: '"retention" is only read from your own settings' }],
  })
})
