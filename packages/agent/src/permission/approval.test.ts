import { expect, test } from 'vitest'
import { type ApprovalRequest, approvalHash, Approvals } from './approval.ts'
import type { Decision } from './decision.ts'

const part = { what: 'git push', verdict: 'ask', why: 'no rule allows it' } as const
const decision: Decision = { ...part, parts: [part] }
const call = { name: 'Bash', args: { command: 'git push', timeout: 5 } }
const hash = (changes: { run?: string; id?: string; args?: object; cwd?: string } = {}) =>
  approvalHash(
    changes.run ?? 'run',
    changes.id ?? 'call',
    { ...call, args: { ...call.args, ...changes.args } },
    decision,
    changes.cwd ?? '/workspace',
  )

async function asked(expires?: number): Promise<{ open: Approvals; request: ApprovalRequest }> {
  const open = new Approvals()
  const request: ApprovalRequest = {
    run: 'run',
    call: 'call',
    hash: await hash(),
    decision,
    always: [],
    ...(expires !== undefined && { expires }),
  }
  open.ask(request)
  return { open, request }
}

const yes = ({ run, call, hash }: ApprovalRequest) =>
  ({ run, call, hash, verdict: 'allow' }) as const

test('an approval is used once', async () => {
  const { open, request } = await asked()
  expect(open.answer(yes(request), 0)).toBeUndefined()
  expect(open.take('run', 'call', request.hash)).toMatchObject({ verdict: 'allow' })
  expect(open.take('run', 'call', request.hash)).toBeUndefined()
})

test('the first answer counts', async () => {
  const { open, request } = await asked()
  expect(open.answer({ ...yes(request), verdict: 'deny', reason: 'no' }, 0)).toBeUndefined()
  expect(open.answer(yes(request), 0)).toContain('answered before')
  expect(open.take('run', 'call', request.hash)).toMatchObject({ verdict: 'deny', reason: 'no' })
})

test.each([
  ['another run', { run: 'other' }],
  ['another call', { id: 'other' }],
  ['other arguments', { args: { command: 'git push --force' } }],
  ['another folder', { cwd: '/elsewhere' }],
])('%s needs another approval', async (_, changes) => {
  const { open, request } = await asked()
  open.answer(yes(request), 0)
  expect(await hash(changes)).not.toBe(request.hash)
  expect(open.take('run', 'call', await hash(changes))).toBeUndefined()
  // And what was said for the call as it was is used up.
  expect(open.take('run', 'call', request.hash)).toBeUndefined()
})

test('the order of keys makes no other call', async () => {
  const other = { name: 'Bash', args: { timeout: 5, command: 'git push' } }
  expect(await approvalHash('run', 'call', other, decision, '/workspace')).toBe(await hash())
})

test('a question that expired was a no', async () => {
  const { open, request } = await asked(1000)
  expect(open.answer(yes(request), 1000)).toContain('expired')
  expect(open.expire(999)).toEqual([])
  expect(open.expire(1000)).toEqual([request])
  expect(open.open).toEqual([])
})

test('nobody answers for a call that was not asked about, or with another hash', async () => {
  const { open, request } = await asked()
  expect(open.answer({ ...yes(request), call: 'other' }, 0)).toContain('Nothing is asked')
  expect(open.answer({ ...yes(request), hash: 'other' }, 0)).toContain('has changed')
})
