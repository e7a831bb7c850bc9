import type { Decision } from '@toolglot/agent'
import { expect, test } from 'vitest'
import { createApprovals } from './approvals.ts'

const call = { id: '1', name: 'Bash', args: { command: 'git push' } }
const part = { what: 'git push', verdict: 'ask', why: 'no rule allows it' } as const
const decision: Decision = { ...part, parts: [part] }

test('an answer counts for the call that was shown, on the next request', () => {
  const approvals = createApprovals()
  const ticket = approvals.ask(call, decision)
  expect(approvals.take(ticket, { ...call, id: '2' }, decision)).toBe(true)
})

test('it counts once', () => {
  const approvals = createApprovals()
  const ticket = approvals.ask(call, decision)
  approvals.take(ticket, call, decision)
  expect(approvals.take(ticket, call, decision)).toBe(false)
})

test('it does not count for another call, nor where something else is decided now', () => {
  const approvals = createApprovals()
  const other = { ...call, args: { command: 'git push --force' } }
  expect(approvals.take(approvals.ask(call, decision), other, decision)).toBe(false)
  const stricter: Decision = { ...decision, parts: [{ ...part, why: 'it leads elsewhere' }] }
  expect(approvals.take(approvals.ask(call, decision), call, stricter)).toBe(false)
})

test('what was never asked is not answered', () => {
  const approvals = createApprovals()
  for (const ticket of [undefined, '', 'made up', {}])
    expect(approvals.take(ticket, call, decision)).toBe(false)
})

test('of too many questions the oldest is forgotten', () => {
  const approvals = createApprovals()
  const [first, second] = Array.from({ length: 101 }, () => approvals.ask(call, decision))
  expect(approvals.take(first, call, decision)).toBe(false)
  expect(approvals.take(second, call, decision)).toBe(true)
})
