import type { Decision } from '@toolglot/permissions'
import { expect, test } from 'vitest'
import { approvalQuestion } from './approval-question.ts'

const call = { id: '1', name: 'Bash', args: { command: 'rm *' } }
const part = { what: 'rm *', verdict: 'ask', why: 'no rule allows it' } as const
const question = (more: Partial<Decision> = {}): string =>
  approvalQuestion(call, { ...part, parts: [part], ...more }, '/work')

test('shows the whole call and the reasons for asking', () => {
  expect(question()).toBe(
    'Run Bash in /work?\n{\n  "command": "rm *"\n}\n- rm *: no rule allows it',
  )
})

test('shows that a command runs as written', () => {
  expect(question({ runs: "'rm' 'a.log'" })).not.toContain('Runs as')
  expect(question({ unprinted: 'defines a function' })).toMatch(
    /\nRuns as written: defines a function$/,
  )
})

test('shows that a command may run any code, and the files it uses', () => {
  const code = { anything: true, folders: ['/work'], files: ['/work/x.sh', '/work/a\nb.sh'] }
  expect(question({ code })).toMatch(
    /\nMay run any code in this folder\nUses these files as they are now: x.sh, a\\nb.sh$/,
  )
})

test('escapes file names, so that they cannot start a line or be invisible', () => {
  const what = "rm 'a\n- ls: allowed' '\x1b[2K' '\u202egol' '\u{e0041}'"
  expect(
    question({ parts: [{ ...part, what }] })
      .split('\n')
      .at(-1),
  ).toBe(`- rm 'a\\n- ls: allowed' '\\u{1b}[2K' '\\u{202e}gol' '\\u{e0041}': no rule allows it`)
})
