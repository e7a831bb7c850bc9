import { PERMISSION_MODES, type PermissionMode } from '@toolglot/permissions'
import type { Workspace } from '@toolglot/workspace'
import { expect, test } from 'vitest'
import { rulesToKeep } from './kept-rules.ts'

const now = (mode?: PermissionMode): Pick<Workspace, 'settings'> =>
  ({ settings: mode ? { mode } : {} }) as Pick<Workspace, 'settings'>

const recorded = (mode?: PermissionMode): NonNullable<Parameters<typeof rulesToKeep>[0]> => ({
  allow: ['of settings', 'A'],
  ask: [],
  deny: ['D'],
  ...(mode && { mode }),
  given: { allow: ['A'], ask: [], deny: ['D'] },
})

test('what was given for a run and what is given now holds; what settings allowed before does not', () => {
  const given = { allow: ['A', 'B'], ask: ['C'] }
  expect(rulesToKeep(recorded(), given, now())).toEqual({
    allow: ['A', 'B'],
    ask: ['C'],
    deny: ['D'],
  })
  expect(rulesToKeep(undefined, {}, now())).toEqual({ allow: [], ask: [], deny: [] })
})

test('a mode never becomes looser by itself, and follows settings that are stricter', () => {
  const after = (before: PermissionMode, settings: PermissionMode): PermissionMode =>
    rulesToKeep(recorded(before), {}, now(settings)).mode ?? settings
  expect(after('plan', 'acceptEdits')).toBe('plan')
  expect(after('dontAsk', 'default')).toBe('dontAsk')
  expect(after('default', 'acceptEdits')).toBe('default')
  expect(after('acceptEdits', 'default')).toBe('default')
  expect(after('acceptEdits', 'plan')).toBe('plan')
  for (const mode of PERMISSION_MODES) expect(after(mode, mode)).toBe(mode)
  // Without settings, the default is meant.
  expect(rulesToKeep(recorded('plan'), {}, now()).mode).toBe('plan')
  expect(rulesToKeep(recorded('acceptEdits'), {}, now()).mode).toBeUndefined()
})

test('a person may name another mode', () => {
  expect(rulesToKeep(recorded('plan'), { mode: 'acceptEdits' }, now()).mode).toBe('acceptEdits')
})
