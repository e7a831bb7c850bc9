import type { CallPart } from '@toolglot/react/view'
import { expect, test } from 'vitest'
import { callLook, callWarnings, exitCode, isQuiet } from './call-look.ts'
import { callPart } from './example-parts.ts'

test.each<[string, Partial<CallPart>, string, boolean]>([
  ['being written', { call: undefined as never }, 'chat.call.writing', true],
  ['queued', {}, 'chat.call.queued', false],
  ['running', { started: 1 }, 'chat.call.running', true],
  [
    'done',
    { outcome: { status: 'success', text: '', started: 1, duration: 1 } },
    'chat.call.done',
    false,
  ],
  [
    'failed',
    { outcome: { status: 'error', text: '', started: 1, duration: 1 } },
    'chat.call.failed',
    true,
  ],
  [
    'a command that failed',
    { outcome: { status: 'success', text: '', started: 1, duration: 1, data: { exit_code: 2 } } },
    'chat.call.exited',
    true,
  ],
  [
    'not run',
    { outcome: { status: 'not_run', text: '', started: 1, duration: 0 } },
    'chat.call.notRun',
    false,
  ],
])('%s', (_, change, word, isOpen) => {
  expect(callLook({ ...callPart(), ...change })).toMatchObject({ word, isOpen })
})

test('an unknown outcome shows whether files may have changed', () => {
  const outcome = { status: 'unknown', text: '', started: 1, duration: 1 } as const
  expect(callLook(callPart({ outcome })).about).toBe('chat.call.unknown.unchanged')
  expect(callLook(callPart({ outcome: { ...outcome, mayHaveChanged: true } })).about).toBe(
    'chat.call.unknown.mayHaveChanged',
  )
})

test('a result with warnings unfolds by default and is not grouped', () => {
  const outcome = { status: 'success', text: '', started: 1, duration: 1 } as const
  const warned = callPart({
    outcome: { ...outcome, data: { exit_code: 0, warnings: ['Look', 1] } },
  })
  expect(callWarnings(warned)).toEqual(['Look'])
  expect(callLook(warned)).toMatchObject({ isOpen: true, tone: 'ask' })
  expect(isQuiet(warned)).toBe(false)
  for (const data of [undefined, null, 'warnings', { warnings: 'Look' }, { warnings: [] }])
    expect(isQuiet(callPart({ outcome: { ...outcome, data } }))).toBe(true)
})

test('finds the exit code in any result or failure', () => {
  const outcome = { status: 'error', text: '', started: 1, duration: 1 } as const
  const failure = { tool: 'Bash', error_type: 'execution_failed', message: '' } as const
  expect(exitCode({ outcome })).toBe(undefined)
  expect(exitCode({ outcome: { ...outcome, data: null } })).toBe(undefined)
  expect(exitCode({ outcome: { ...outcome, data: 'exit_code' } })).toBe(undefined)
  expect(exitCode({ outcome: { ...outcome, data: { exit_code: 0 } } })).toBe(0)
  const details = { exitCode: 9 }
  expect(exitCode({ outcome: { ...outcome, failure: { ...failure, details } } })).toBe(9)
})

test('only calls that need no attention are quiet', () => {
  const success = { status: 'success', text: '', started: 1, duration: 1 } as const
  expect(isQuiet(callPart())).toBe(true)
  expect(isQuiet(callPart({ started: 1 }))).toBe(false)
  expect(isQuiet(callPart({ outcome: success }))).toBe(true)
  expect(isQuiet(callPart({ outcome: { ...success, data: { exit_code: 1 } } }))).toBe(false)
  expect(isQuiet(callPart({ outcome: success, args: { new_string: 'b' } }))).toBe(false)
  expect(isQuiet(callPart({ outcome: success, late: success }))).toBe(false)
  for (const status of ['error', 'denied', 'timeout', 'unknown'] as const)
    expect(isQuiet(callPart({ outcome: { ...success, status } }))).toBe(false)
})
