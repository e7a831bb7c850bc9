import { defaultLimits } from '@toolglot/agent'
import { describe, expect, test } from 'vitest'
import { mergeSettings } from '../merge-settings.ts'
import { readSettings } from '../read-settings.ts'
import type { SettingsFile } from '../settings-file.ts'
import { limitSettings } from './limits.ts'
import { sandboxSettings } from './sandbox.ts'

function file(settings: object, scope: SettingsFile['scope'] = 'user'): SettingsFile {
  return readSettings(JSON.stringify(settings), { file: 'settings.json', scope, root: '/home' })
}

const reasons = ({ problems, warnings }: SettingsFile): string[] =>
  [...problems, ...warnings].map(({ reason }) => reason)

describe('limits', () => {
  test('include every limit of a run', () => {
    const limits = Object.fromEntries(Object.keys(defaultLimits).map((key) => [key, 7]))
    const read = file({ limits })
    expect(reasons(read)).toEqual([])
    expect(limitSettings(mergeSettings([read], { trusted: false }))).toEqual(limits)
  })

  test('each comes from the strongest scope that contains it', () => {
    const files = [
      file({ limits: { maxIterations: 9, maxToolCalls: 8 } }),
      file({ limits: { maxIterations: 3 } }, 'managed'),
    ]
    expect(limitSettings(mergeSettings(files, { trusted: false }))).toEqual({
      maxIterations: 3,
      maxToolCalls: 8,
    })
  })

  test.each([
    [{ maxIterations: 0 }, 'an integer from 1'],
    [{ maxIterations: '25' }, 'an integer from 1'],
    [{ maxCost: 0 }, 'a number above 0'],
    [{ toolTimeout: 2 ** 31 }, 'an integer from 1 to 2147483647'],
    [{ turns: 3 }, 'unknown key "turns" in "limits"'],
  ])('%j is invalid, with a reason', (limits, reason) => {
    expect(reasons(file({ limits })).join()).toContain(reason)
  })

  test("in a folder's settings have no effect, even if it is trusted", () => {
    const settings = mergeSettings([file({ limits: { maxIterations: 9 } }, 'project')], {
      trusted: true,
    })
    expect(limitSettings(settings)).toEqual({})
  })
})

describe('sandbox', () => {
  test.each([
    [{ use: 'none' }],
    [{ use: 'bubblewrap', network: 'host' }],
    [{ network: ['registry.npmjs.org', '127.0.0.1:8080'] }],
    [{ read: ['/opt/data', '~/.config/gh'], write: ['~', '~/.cache/app'] }],
  ])('%j is valid', (sandbox) => {
    const read = file({ sandbox })
    expect(reasons(read)).toEqual([])
    expect(sandboxSettings(mergeSettings([read], { trusted: false }))).toEqual(sandbox)
  })

  test.each([
    [{ use: 'auto' }, '"bubblewrap", "sandbox-runtime" or "none"'],
    [{ network: 'all' }, 'a list of host names'],
    [{ network: ['a b'] }, 'a list of host names'],
    [{ network: ['ok.example', 1] }, 'a list of host names'],
    [{ read: ['data'] }, '"read" contains "data", but paths must start with / or ~/'],
    [{ read: ['~other/data'] }, 'paths must start with / or ~/'],
    [{ write: ['/ok', './data'] }, '"write" contains "./data", but paths must start with / or ~/'],
    [{ write: [1] }, '"write" contains 1'],
    [{ write: '~' }, '"write" must be a list of paths, not "~"'],
  ])('%j is invalid, with a reason', (sandbox, reason) => {
    expect(reasons(file({ sandbox })).join()).toContain(reason)
  })

  test('settings of a folder do not count, even if it is trusted', () => {
    const settings = mergeSettings([file({ sandbox: { use: 'none' } }, 'project')], {
      trusted: true,
    })
    expect(sandboxSettings(settings)).toEqual({})
  })
})
