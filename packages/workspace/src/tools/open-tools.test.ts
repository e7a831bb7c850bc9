import { expect, test } from 'vitest'
import { mergeSettings } from '../settings/merge-settings.ts'
import { readSettings } from '../settings/read-settings.ts'
import type { SettingsFile } from '../settings/settings-file.ts'
import { mcpServersIn } from './open-tools.ts'

test('the stronger scope wins if two servers share a name; folders come from the settings', () => {
  const file = (scope: 'user' | 'project', root: string, servers: object): SettingsFile =>
    readSettings(JSON.stringify({ mcpServers: servers }), { file: 'settings.json', scope, root })
  const files = [
    file('user', '/home', {
      a: { command: 'mine' },
      b: { command: 'b' },
      c: { command: 'c', cwd: 'd' },
    }),
    file('project', '/repo', {
      a: { command: 'a' },
      d: { command: 'd', cwd: './e' },
      e: { url: 'http://x' },
    }),
  ]
  const servers = (trusted: boolean) => mcpServersIn(mergeSettings(files, { trusted }), '/home')
  expect(servers(true)).toEqual({
    a: { command: 'a', cwd: '/repo' },
    b: { command: 'b' },
    c: { command: 'c', cwd: '/home/d' },
    d: { command: 'd', cwd: '/repo/e' },
    e: { url: 'http://x' },
  })
  expect(Object.keys(servers(false))).toEqual(['a', 'b', 'c'])
  expect(servers(false)['a']).toEqual({ command: 'mine' })
})
