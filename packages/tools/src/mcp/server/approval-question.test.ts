import type { Decision } from '@toolglot/permissions'
import { expect, test } from 'vitest'
import { approvalQuestion } from './approval-question.ts'

const call = { id: '1', name: 'Bash', args: { command: 'rm *' } }
const part = { what: 'rm *', verdict: 'ask', why: 'no rule allows it' } as const
const question = (more: Partial<Decision> = {}): string =>
  approvalQuestion(call, { ...part, parts: [part], ...more }, '/work')

test('the question shows the whole call and why it asks', () => {
  expect(question()).toBe(
    'Run Bash in /work?\n{\n  "command": "rm *"\n}\n- rm *: no rule allows it',
  )
})

test('the question shows the files that a pattern stands for', () => {
  expect(question({ runs: 'rm a.log b.log' })).toMatch(/\nRuns as: "rm a\.log b\.log"$/)
})

test('no name of a file begins a line, or is hidden', () => {
  const runs = "rm 'a\n- ls: allowed' '\x1b[2K' '\u202egol' '\u{e0041}'"
  expect(question({ runs }).split('\n').at(-1)).toBe(
    `Runs as: "rm 'a\\n- ls: allowed' '\\u001b[2K' '\\u{202e}gol' '\\u{e0041}'"`,
  )
})
