import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UserError } from '../user-error.ts'
import { folderOf } from '../../../agent/test/folder.ts'
import type { UserDirectories } from '../user-directories.ts'
import { changeUserSettings, userSettingsFile } from './user-settings.ts'

function machineIn(text?: string): UserDirectories {
  const home = folderOf(text === undefined ? {} : { 'config/settings.json': text })
  return { home, config: join(home, 'config'), state: join(home, 'state'), managed: '/nowhere' }
}
const textOf = (directories: UserDirectories): string =>
  readFileSync(userSettingsFile(directories), 'utf8')

test('comments, order and trailing commas stay as they are', () => {
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

test('a file that is not there is made, for its owner only', () => {
  const directories = machineIn()
  expect(changeUserSettings(directories, 'model', undefined)).toBe(userSettingsFile(directories))
  expect(existsSync(userSettingsFile(directories))).toBe(false)
  changeUserSettings(directories, 'model', 'ollama/a')
  expect(JSON.parse(textOf(directories))).toEqual({ model: 'ollama/a' })
  expect(statSync(userSettingsFile(directories)).mode & 0o777).toBe(0o600)
  expect(readdirSync(directories.config)).toEqual(['settings.json'])
})

test('a link stays one', () => {
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
  ['{}', 'modle', 'ollama/a', 'did you mean "model"?'],
  ['{}', 'model', 5, 'expected a string in "model"'],
  ['{}', 'permissions.mode', 'bypass', 'expected a mode'],
  ['{}', 'permissions.alow', ['Read'], 'did you mean "allow"?'],
  ['{}', '__proto__.a', 'x', 'is not a key'],
  ['{}', 'paidProviders', [5], 'expected a list of providers'],
  ['{}', 'model', 'sk-abcdefghijklmnopqrstuvwx', 'put it into your environment'],
  ['{}', 'paidProviders', ['sk-abcdefghijklmnopqrstuvwx'], 'put it into your environment'],
])('in %s, %s is not set to %j', (text, path, value, message) => {
  const directories = machineIn(text)
  const change = (): unknown => changeUserSettings(directories, path, value)
  expect(change).toThrow(UserError)
  expect(change).toThrow(message)
  expect(change).not.toThrow(/sk-abc/)
  expect(textOf(directories)).toBe(text)
})
