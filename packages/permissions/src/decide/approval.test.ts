import { expect, test } from 'vitest'
import { approvalHash, type NetworkNotice } from './approval.ts'
import type { CodeVersions } from './code-files.ts'
import type { Decision } from './decision.ts'

const part = { what: 'git push', verdict: 'ask', why: 'no rule allows it' } as const

interface Changes extends Partial<Pick<Decision, 'parts' | 'runs' | 'code'>> {
  readonly run?: string
  readonly id?: string
  readonly name?: string
  readonly args?: Record<string, unknown>
  readonly cwd?: string
  readonly network?: NetworkNotice
  readonly versions?: CodeVersions
}

function hash({ run = 'run', id = 'call', cwd = '/workspace', ...changes }: Changes = {}) {
  const { name = 'Bash', args = { command: 'git push', timeout: 5 }, parts = [part] } = changes
  const { runs, network, code, versions = [] } = changes
  const more = { ...(runs && { runs }), ...(code && { code }) }
  const decision = { ...part, parts, call: { name, args }, ...more }
  return approvalHash(run, id, decision, { cwd, network, code: versions })
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
  ['other names in place of a pattern', { runs: 'git push origin' }],
  ['a limit of the network', { network: { reaches: [], suggested: [] } }],
  ['any code in the folder', { code: { anything: true, folders: [] } }],
])('%s requires another approval', async (_, changes) => {
  expect(await hash(changes)).not.toBe(await hash())
})

test('requires another approval for hosts that were not shown', async () => {
  const reaching = (...reaches: string[]) => hash({ network: { reaches, suggested: [] } })
  expect(await reaching('example.com')).not.toBe(await reaching())
  expect(await reaching('example.com')).toBe(await reaching('example.com'))
})

test('requires another approval for another version of the code', async () => {
  const running = (...versions: CodeVersions) =>
    hash({ code: { anything: true, folders: [] }, versions })
  expect(await running(['/workspace/x.sh', '1'])).not.toBe(await running())
  expect(await running(['/workspace/x.sh', '1'])).not.toBe(await running(['/workspace/x.sh', '2']))
  expect(await running(['/workspace/x.sh', '1'])).toBe(await running(['/workspace/x.sh', '1']))
})

test('does not depend on the order of keys', async () => {
  expect(await hash({ args: { timeout: 5, command: 'git push' } })).toBe(await hash())
})
