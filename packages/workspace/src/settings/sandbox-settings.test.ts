import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { sandboxOptions } from '../tools/open-tools.ts'
import { createDigest } from '../trust/digest.ts'
import { openWorkspace } from '../workspace.ts'
import { addNetworkHosts } from './user-settings.ts'
import { sandboxSettings } from './keys/sandbox.ts'
import { mergeSettings } from './merge-settings.ts'
import { readSettings } from './read-settings.ts'
import type { SettingsFile } from './settings-file.ts'

type Scope = SettingsFile['scope']

function file(scope: Scope, sandbox: unknown): SettingsFile {
  return readSettings(JSON.stringify({ sandbox }), { file: `/${scope}.json`, scope, root: '/' })
}

function network(trusted: boolean, ...files: SettingsFile[]): unknown {
  return sandboxSettings(mergeSettings(files, { trusted })).network
}

const project = file('project', { network: ['project.example'] })

test("a folder's hosts are added to the user's own once it is trusted", () => {
  expect(network(false, project)).toBeUndefined()
  expect(network(true, project)).toEqual(['project.example'])
  expect(network(true, project, file('user', { network: ['user.example'] }))).toEqual([
    'user.example',
    'project.example',
  ])
  expect(network(false, project, file('user', { network: ['user.example'] }))).toEqual([
    'user.example',
  ])
})

test.each(['managed', 'cli', 'user', 'project'] as const)(
  "forbidding the network takes precedence over a folder's hosts: %s",
  (scope) => {
    expect(network(true, project, file(scope, { network: 'none' }))).toBe('none')
    expect(network(false, file(scope, { network: 'none' }))).toBe('none')
  },
)

test.each([{ network: 'host' }, { use: 'none' }, { read: ['/x'] }, { write: ['~'] }])(
  'a folder cannot set %j',
  (sandbox) => {
    const given = file('project', sandbox)
    expect(given.warnings).toHaveLength(1)
    expect(sandboxSettings(mergeSettings([given], { trusted: true }))).toEqual({})
  },
)

test("the paths in all of the user's own settings are combined without duplicates", () => {
  const files = [
    file('user', { read: ['~/a', '/b'], write: ['/c'] }),
    file('managed', { read: ['/b'] }),
    file('cli', { read: ['~'] }),
  ]
  const { read, write } = sandboxSettings(mergeSettings(files, { trusted: false }))
  expect(new Set(read)).toEqual(new Set(['~/a', '/b', '~']))
  expect([read?.length, write]).toEqual([3, ['/c']])
})

test('paths are absolute for commands', async () => {
  const home = folderOf()
  const settings = join(home, '.config/toolglot/settings.json')
  await mkdir(dirname(settings), { recursive: true })
  await writeFile(
    settings,
    JSON.stringify({ sandbox: { read: ['~/a', '/b/../c/'], write: ['~', '~/'] } }),
  )
  const workspace = await openWorkspace(home, { env: { HOME: home } })
  expect(sandboxOptions(workspace)).toMatchObject({
    read: [join(home, 'a'), '/c'],
    write: [home, home],
    exposeHome: false,
  })
})

test("a folder's hosts are part of what the user reviews and trusts", () => {
  const digest = createDigest('/home')
  const other = file('project', { network: ['project.example', 'other.example'] })
  expect(digest([project])).not.toBe(digest([other]))
  expect(mergeSettings([project], { trusted: false }).withheld.values).toMatchObject([
    { key: 'sandbox', value: { network: ['project.example'] } },
  ])
})

test('hosts are added to settings once, and comments stay', () => {
  const options = { file: '/user.json', scope: 'user', root: '/' } as const
  const text = '{\n  // mine\n  "sandbox": { "network": ["a.example"] }\n}\n'
  const after = addNetworkHosts(text, ['b.example', 'a.example', 'b.example'], options)
  expect(after).toContain('// mine')
  expect(network(false, readSettings(after, options))).toEqual(['b.example', 'a.example'])
  expect(
    network(false, readSettings(addNetworkHosts('', ['c.example'], options), options)),
  ).toEqual(['c.example'])
  const none = JSON.stringify({ sandbox: { network: 'none' } })
  expect(() => addNetworkHosts(none, ['c.example'], options)).toThrow(
    '"network" in "sandbox" is "none"',
  )
  expect(() => addNetworkHosts('{}', ['https://c.example'], options)).toThrow('host names')
})
