import { expect, test } from 'vitest'
import { groupCommands } from './command-groups.ts'
import type { Command } from './commands.ts'

const command = (id: string, group: Command['group'], text = id): Command => ({
  id,
  group,
  label: { text },
  run() {},
})
const t = (key: string): string => key

test('groups commands by id; the last one offered wins', () => {
  const groups = groupCommands(
    [command('a', 'go', 'new'), command('b', 'waiting'), command('a', 'go', 'old')],
    t,
  )
  expect(groups.map(({ title, commands }) => [title, commands.map(({ label }) => label)])).toEqual([
    ['shell.group.waiting', [{ text: 'b' }]],
    ['shell.group.go', [{ text: 'new' }]],
  ])
})

test('sorts by match and leaves out commands without one', () => {
  const groups = groupCommands(
    [
      command('1', 'here', 'Review settings'),
      command('2', 'go', 'Unsettled'),
      command('3', 'go', 'Settings'),
      command('4', 'go', 'Chat'),
    ],
    t,
    'sett',
  )
  expect(groups.map(({ commands }) => commands.map(({ id }) => id))).toEqual([['3', '2'], ['1']])
})
