import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../agent/test/folder.ts'
import type { Machine } from '../machine.ts'
import { changeUserSettings, userSettingsFile } from './user-settings.ts'

function machineIn(text?: string): Machine {
  const home = folderOf(text === undefined ? {} : { 'config/settings.json': text })
  return { home, config: join(home, 'config'), state: join(home, 'state'), managed: '/nowhere' }
}
const textOf = (machine: Machine): string => readFileSync(userSettingsFile(machine), 'utf8')

test('comments, order and trailing commas stay as they are', () => {
  const machine = machineIn(`{
  // mine
  "permissions": {
    "deny": ["Read(.env)"], // never
  },
  "model": "ollama/a", /* small */
}
`)
  changeUserSettings(machine, 'model', 'ollama/b')
  changeUserSettings(machine, 'permissions.mode', 'plan')
  const text = textOf(machine)
  expect(text).toContain('"model": "ollama/b", /* small */')
  expect(text).toContain('"deny": ["Read(.env)"], // never')
  expect(text).toContain('"mode": "plan"')
  changeUserSettings(machine, 'permissions.mode', undefined)
  expect(textOf(machine)).not.toContain('plan')
  expect(textOf(machine)).toContain('// mine')
})

test('a file that is not there is made, for its owner only', () => {
  const machine = machineIn()
  expect(changeUserSettings(machine, 'model', undefined)).toBe(userSettingsFile(machine))
  expect(existsSync(userSettingsFile(machine))).toBe(false)
  changeUserSettings(machine, 'model', 'ollama/a')
  expect(JSON.parse(textOf(machine))).toEqual({ model: 'ollama/a' })
  expect(statSync(userSettingsFile(machine)).mode & 0o777).toBe(0o600)
  expect(readdirSync(machine.config)).toEqual(['settings.json'])
})

test('a link stays one', () => {
  const machine = machineIn()
  const real = join(folderOf({ 'dotfiles.json': '{}' }), 'dotfiles.json')
  changeUserSettings(machine, 'model', 'ollama/a')
  const linked = { ...machine, config: folderOf() }
  symlinkSync(real, userSettingsFile(linked))
  changeUserSettings(linked, 'model', 'ollama/b')
  expect(lstatSync(userSettingsFile(linked)).isSymbolicLink()).toBe(true)
  expect(readFileSync(real, 'utf8')).toContain('ollama/b')
})

test.each([
  ['{"model": ', 'model', 'ollama/a', 'Mend that first'],
  ['{}', 'modle', 'ollama/a', 'did you mean "model"?'],
  ['{}', 'model', 5, 'expected a text in "model"'],
  ['{}', 'permissions.mode', 'bypass', 'expected a mode'],
  ['{}', 'permissions.alow', ['Read'], 'did you mean "allow"?'],
  ['{}', '__proto__.a', 'x', 'is not a key'],
  ['{}', 'paidProviders', [5], 'expected a list of providers'],
  ['{}', 'model', 'sk-abcdefghijklmnopqrstuvwx', 'put it into your environment'],
  ['{}', 'paidProviders', ['sk-abcdefghijklmnopqrstuvwx'], 'put it into your environment'],
])('in %s, %s is not set to %j', (text, path, value, message) => {
  const machine = machineIn(text)
  const change = (): unknown => changeUserSettings(machine, path, value)
  expect(change).toThrow(TypeError)
  expect(change).toThrow(message)
  expect(change).not.toThrow(/sk-abc/)
  expect(textOf(machine)).toBe(text)
})
