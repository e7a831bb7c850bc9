import type { Decision } from '@toolglot/agent'
import { expect, test } from 'vitest'
import { createApprovals } from './approvals.ts'

const call = { id: '1', name: 'Bash', args: { command: 'git push' } }
const part = { what: 'git push', verdict: 'ask', why: 'no rule allows it' } as const
const decision: Decision = { ...part, parts: [part] }

test('an answer counts for the call that was shown, on the next request', () => {
  const approvals = createApprovals(() => '/work')
  const ticket = approvals.ask(call, decision)
  expect(approvals.take(ticket, { ...call, id: '2' }, decision)).toBe(true)
})

test('it counts once', () => {
  const approvals = createApprovals(() => '/work')
  const ticket = approvals.ask(call, decision)
  approvals.take(ticket, call, decision)
  expect(approvals.take(ticket, call, decision)).toBe(false)
})

test('it does not count for another call, nor where something else is decided now', () => {
  const approvals = createApprovals(() => '/work')
  const other = { ...call, args: { command: 'git push --force' } }
  expect(approvals.take(approvals.ask(call, decision), other, decision)).toBe(false)
  const stricter: Decision = { ...decision, parts: [{ ...part, why: 'it leads elsewhere' }] }
  expect(approvals.take(approvals.ask(call, decision), call, stricter)).toBe(false)
})

test('what was never asked is not answered', () => {
  const approvals = createApprovals(() => '/work')
  for (const ticket of [undefined, '', 'made up', {}])
    expect(approvals.take(ticket, call, decision)).toBe(false)
})

test('of too many questions the oldest is forgotten', () => {
  const approvals = createApprovals(() => '/work')
  const [first, second] = Array.from({ length: 101 }, () => approvals.ask(call, decision))
  expect(approvals.take(first, call, decision)).toBe(false)
  expect(approvals.take(second, call, decision)).toBe(true)
})

test('it does not count in another folder, nor for a path that leads elsewhere now', () => {
  let folder = '/work'
  const approvals = createApprovals(() => folder)
  const ticket = approvals.ask(call, decision)
  folder = '/work/other'
  expect(approvals.take(ticket, call, decision)).toBe(false)
  const to = (real: string): Decision => ({ ...decision, parts: [{ ...part, real }] })
  expect(approvals.take(approvals.ask(call, to('/work/a')), call, to('/work/b'))).toBe(false)
  expect(approvals.take(approvals.ask(call, to('/work/a')), call, to('/work/a'))).toBe(true)
})
