import type { ApprovalQuestion } from '@toolglot/agent'
import { expect, test } from 'vitest'
import { createApprovals } from './approval-tickets.ts'

const part = { what: 'git push', verdict: 'ask', why: 'no rule allows it' } as const
const asked: ApprovalQuestion = {
  call: { id: '1', name: 'Bash', args: { command: 'git push' } },
  decision: { ...part, parts: [part] },
  hash: 'what was shown',
  times: 0,
  permissions: { rules: [] },
}

test('an answer counts for what was shown, on the next request, which is the same call', () => {
  const approvals = createApprovals()
  const ticket = approvals.ask(asked)
  expect(approvals.callOf(ticket)).toBe('1')
  expect(approvals.take(ticket, asked)).toBe(true)
})

test('it counts once', () => {
  const approvals = createApprovals()
  const ticket = approvals.ask(asked)
  approvals.take(ticket, asked)
  expect(approvals.take(ticket, asked)).toBe(false)
  expect(approvals.callOf(ticket)).toBe(undefined)
})

test('it does not count for anything else, and is used up by that', () => {
  const approvals = createApprovals()
  const ticket = approvals.ask(asked)
  expect(approvals.take(ticket, { ...asked, hash: 'something else' })).toBe(false)
  expect(approvals.take(ticket, asked)).toBe(false)
})

test('what was never asked is not answered', () => {
  const approvals = createApprovals()
  for (const ticket of [undefined, '', 'made up', {}]) {
    expect(approvals.callOf(ticket)).toBe(undefined)
    expect(approvals.take(ticket, asked)).toBe(false)
  }
})

test('of too many questions the oldest is forgotten', () => {
  const approvals = createApprovals()
  const [first, second] = Array.from({ length: 101 }, () => approvals.ask(asked))
  expect(approvals.take(first, asked)).toBe(false)
  expect(approvals.take(second, asked)).toBe(true)
})
