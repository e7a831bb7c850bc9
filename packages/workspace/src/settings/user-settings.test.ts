import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { protocols } from '@toolglot/core'
import { expect, test } from 'vitest'
import { UserError } from '../user-error.ts'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import type { UserDirectories } from '../user-directories.ts'
import { savedProtocol } from './keys/model-protocols.ts'
import { readSettings } from './read-settings.ts'
import { changeUserSettings, userSettingsFile } from './user-settings.ts'

function machineIn(text?: string): UserDirectories {
  const home = folderOf(text === undefined ? {} : { 'config/settings.json': text })
  return { home, config: join(home, 'config'), state: join(home, 'state'), managed: '/nowhere' }
}
const textOf = (directories: UserDirectories): string =>
  readFileSync(userSettingsFile(directories), 'utf8')

test('keeps comments, order and trailing commas', () => {
  const directories = machineIn(`{
  // mine
  "permissions": {
    "deny": ["Read(.env)"], // never
  },
  "model": "ollama/a", /* small */
}
`)
  changeUserSettings(directories, 'model', 'ollama/b')
  changeUserSettings(directories, 'permissions.mode', 'plan')
  const text = textOf(directories)
  expect(text).toContain('"model": "ollama/b", /* small */')
  expect(text).toContain('"deny": ["Read(.env)"], // never')
  expect(text).toContain('"mode": "plan"')
  changeUserSettings(directories, 'permissions.mode', undefined)
  expect(textOf(directories)).not.toContain('plan')
  expect(textOf(directories)).toContain('// mine')
})

test('creates a missing file that only its owner can read', () => {
  const directories = machineIn()
  expect(changeUserSettings(directories, 'model', undefined)).toBe(userSettingsFile(directories))
  expect(existsSync(userSettingsFile(directories))).toBe(false)
  changeUserSettings(directories, 'model', 'ollama/a')
  expect(JSON.parse(textOf(directories))).toEqual({ model: 'ollama/a' })
  expect(statSync(userSettingsFile(directories)).mode & 0o777).toBe(0o600)
  expect(readdirSync(directories.config)).toEqual(['settings.json'])
})

test('a key with dots is one key, and its neighbors stay', () => {
  const directories = machineIn(`{
  "modelProtocols": {
    "ollama/a": "hermes", // fast
  },
}
`)
  const url = 'http://127.0.0.1:8080/v1#qwen2.5'
  changeUserSettings(directories, ['modelProtocols', url], 'tool-xml')
  const settings = readSettings(textOf(directories), {
    file: 'settings.json',
    scope: 'user',
    root: '/',
  })
  expect(settings.warnings).toEqual([])
  expect(savedProtocol(settings, url)).toBe(protocols['tool-xml'])
  expect(savedProtocol(settings, 'ollama/a')).toBe(protocols.hermes)
  expect(savedProtocol(settings, 'toString')).toBe(undefined)
  expect(textOf(directories)).toContain('"ollama/a": "hermes", // fast')
  changeUserSettings(directories, ['modelProtocols', url], 'native')
  expect(textOf(directories)).not.toContain('tool-xml')
  const secret = 'http://127.0.0.1/v1?k=sk-abcdefghijklmnopqrstuvwx#a'
  expect(() => changeUserSettings(directories, ['modelProtocols', secret], 'hermes')).toThrow(
    'looks like a secret',
  )
})

test('a link stays a link', () => {
  const directories = machineIn()
  const real = join(folderOf({ 'dotfiles.json': '{}' }), 'dotfiles.json')
  changeUserSettings(directories, 'model', 'ollama/a')
  const linked = { ...directories, config: folderOf() }
  symlinkSync(real, userSettingsFile(linked))
  changeUserSettings(linked, 'model', 'ollama/b')
  expect(lstatSync(userSettingsFile(linked)).isSymbolicLink()).toBe(true)
  expect(readFileSync(real, 'utf8')).toContain('ollama/b')
})

test.each([
  ['{"model": ', 'model', 'ollama/a', 'Fix that first'],
  ['{}', 'modle', 'ollama/a', 'Did you mean "model"?'],
  ['{}', 'model', 5, 'must be a string such as'],
  ['{}', 'permissions.mode', 'bypass', 'the mode must be one of'],
  ['{}', 'permissions.alow', ['Read'], 'Did you mean "allow"?'],
  ['{}', '__proto__.a', 'x', 'is not allowed as a key'],
  ['{}', 'paidProviders', [5], 'must be a list of providers'],
  ['{}', 'modelProtocols', { 'ollama/a': 'hermse' }, 'Did you mean "hermes"?'],
  ['{}', 'modelProtocols', ['hermes'], 'must map models to protocols'],
  ['{}', 'model', 'sk-abcdefghijklmnopqrstuvwx', 'Put it in your environment'],
  ['{}', 'paidProviders', ['sk-abcdefghijklmnopqrstuvwx'], 'Put it in your environment'],
])('in %s, %s cannot be set to %j', (text, path, value, message) => {
  const directories = machineIn(text)
  const change = (): unknown => changeUserSettings(directories, path, value)
  expect(change).toThrow(UserError)
  expect(change).toThrow(message)
  expect(change).not.toThrow(/sk-abc/)
  expect(textOf(directories)).toBe(text)
})
