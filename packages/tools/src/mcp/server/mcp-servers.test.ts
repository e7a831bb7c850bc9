import type { ApprovalQuestion } from '@toolglot/agent'
import { expect, test } from 'vitest'
import { createApprovalTickets } from './mcp-servers.ts'

const part = { what: 'git push', verdict: 'ask', why: 'no rule allows it' } as const
const question: ApprovalQuestion = {
  call: { id: '1', name: 'Bash', args: { command: 'git push' } },
  decision: { ...part, parts: [part] },
  hash: 'what was shown',
  times: 0,
  permissions: { rules: [] },
  allowedBy: async () => [],
}

test('a ticket is valid for the request that repeats the call exactly', () => {
  const approvals = createApprovalTickets()
  const ticket = approvals.issue(question)
  expect(approvals.callOf(ticket)).toBe('1')
  expect(approvals.redeem(ticket, question)).toBe(true)
})

test('a ticket is valid once', () => {
  const approvals = createApprovalTickets()
  const ticket = approvals.issue(question)
  approvals.redeem(ticket, question)
  expect(approvals.redeem(ticket, question)).toBe(false)
  expect(approvals.callOf(ticket)).toBe(undefined)
})

test('a ticket is not valid for another call, and trying uses it up', () => {
  const approvals = createApprovalTickets()
  const ticket = approvals.issue(question)
  expect(approvals.redeem(ticket, { ...question, hash: 'something else' })).toBe(false)
  expect(approvals.redeem(ticket, question)).toBe(false)
})

test('an unknown ticket is not valid', () => {
  const approvals = createApprovalTickets()
  for (const ticket of [undefined, '', 'made up', {}]) {
    expect(approvals.callOf(ticket)).toBe(undefined)
    expect(approvals.redeem(ticket, question)).toBe(false)
  }
})

test('drops the oldest questions if there are too many', () => {
  const approvals = createApprovalTickets()
  const [first, second] = Array.from({ length: 101 }, () => approvals.issue(question))
  expect(approvals.redeem(first, question)).toBe(false)
  expect(approvals.redeem(second, question)).toBe(true)
})
