import { expect, test } from 'vitest'
import { callState } from '@toolglot/react/view'
import { isExecution, partOf } from './pending-part.ts'

const common = {
  run: 'exec-1',
  key: 'k',
  call: 'c',
  tool: 'bash',
  args: { command: 'ls' },
  since: 5,
}

test('converts a pending approval with its parts and rules', () => {
  const part = partOf({
    ...common,
    type: 'approval',
    parts: [
      { what: 'cd', verdict: 'allow', why: 'has no effect' },
      { what: 'ls', verdict: 'ask', why: 'no rule allows it' },
    ],
    suggestions: [
      { what: 'ls', rule: 'Bash(ls)' },
      { what: 'ls', rule: 'Bash(ls)' },
      { what: 'x', reason: 'none' },
    ],
    expires: 9,
    runs: 'ls a b',
    unprinted: 'defines a function',
    code: { anything: true, folders: ['/work'] },
    network: { reaches: [], suggested: [] },
  })
  expect(callState({ ...part, started: 1 })).toBe('asking')
  expect(part.approval?.request).toMatchObject({
    always: ['Bash(ls)'],
    expires: 9,
    decision: {
      what: 'ls',
      verdict: 'ask',
      call: { name: 'bash' },
      runs: 'ls a b',
      unprinted: 'defines a function',
      code: { anything: true },
    },
    network: { reaches: [], suggested: [] },
  })
})

test('converts a pending question', () => {
  const part = partOf({ ...common, type: 'question', questions: [] })
  expect(callState(part)).toBe('asking')
  expect(part.question).toEqual({ key: 'k', questions: [] })
})

test('executions have their own ids', () => {
  expect(isExecution({ run: 'exec-1' })).toBe(true)
  expect(isExecution({ run: 'run-1' })).toBe(false)
})
