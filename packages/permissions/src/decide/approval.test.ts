import { expect, test } from 'vitest'
import { approvalHash, type NetworkNotice } from './approval.ts'
import type { Decision } from './decision.ts'

const part = { what: 'git push', verdict: 'ask', why: 'no rule allows it' } as const

interface Changes extends Partial<Pick<Decision, 'parts' | 'expanded'>> {
  readonly run?: string
  readonly id?: string
  readonly name?: string
  readonly args?: Record<string, unknown>
  readonly cwd?: string
  readonly network?: NetworkNotice
}

function hash({ run = 'run', id = 'call', cwd = '/workspace', ...changes }: Changes = {}) {
  const { name = 'Bash', args = { command: 'git push', timeout: 5 }, parts = [part] } = changes
  const { expanded, network } = changes
  const decision = { ...part, parts, call: { name, args }, ...(expanded && { expanded }) }
  return approvalHash(run, id, decision, cwd, network)
}

test.each<[string, Changes]>([
  ['another run', { run: 'other' }],
  ['another call', { id: 'other' }],
  ['another tool', { name: 'Shell' }],
  ['other arguments', { args: { command: 'git push --force', timeout: 5 } }],
  ['another folder', { cwd: '/elsewhere' }],
  ['a file that leads elsewhere now', { parts: [{ ...part, real: '/etc/passwd' }] }],
  ['another reason', { parts: [{ ...part, why: 'it leads elsewhere' }] }],
  ['one part more', { parts: [part, part] }],
  ['other names in place of a pattern', { expanded: 'git push origin' }],
  ['a limit of the network', { network: { reaches: [], suggested: [] } }],
])('%s requires another approval', async (_, changes) => {
  expect(await hash(changes)).not.toBe(await hash())
})

test('hosts that a person was not shown require another approval', async () => {
  const reaching = (...reaches: string[]) => hash({ network: { reaches, suggested: [] } })
  expect(await reaching('example.com')).not.toBe(await reaching())
  expect(await reaching('example.com')).toBe(await reaching('example.com'))
})

test('the order of keys does not matter', async () => {
  expect(await hash({ args: { timeout: 5, command: 'git push' } })).toBe(await hash())
})
