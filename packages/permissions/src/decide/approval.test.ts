import { expect, test } from 'vitest'
import { makeWorkspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import { approvalHash, codeVersions, type NetworkNotice } from './approval.ts'
import { decide } from './decide.ts'
import type { Decision } from './decision.ts'

const part = { what: 'git push', verdict: 'ask', why: 'no rule allows it' } as const

interface Changes extends Partial<Pick<Decision, 'parts' | 'runs'>> {
  readonly run?: string
  readonly id?: string
  readonly name?: string
  readonly args?: Record<string, unknown>
  readonly cwd?: string
  readonly network?: NetworkNotice
}

function hash({ run = 'run', id = 'call', cwd = '/workspace', ...changes }: Changes = {}) {
  const { name = 'Bash', args = { command: 'git push', timeout: 5 }, parts = [part] } = changes
  const { runs, network } = changes
  const decision = { ...part, parts, call: { name, args }, ...(runs && { runs }) }
  return approvalHash(run, id, decision, { cwd }, network)
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

test('the files that a command runs as code are looked at, and nothing else', async () => {
  const workspace = makeWorkspace()
  for (const path of ['x.py', 'run.sh', 'sub/y.js', 'data.txt']) workspace.write(path)
  const fileSystem = nodeFileSystem({ cwd: workspace.cwd })
  const lookedAt = async (command: string, more: object = {}): Promise<string[]> => {
    const call = { name: 'Bash', args: { command, ...more } }
    const decision = await decide(call, { rules: [] }, fileSystem)
    return codeVersions(decision, fileSystem).map(([path]) => path.replace(`${workspace.cwd}/`, ''))
  }
  expect(await lookedAt('python3 x.py data.txt')).toEqual(['x.py', 'data.txt'])
  expect(await lookedAt('./run.sh')).toEqual(['./run.sh'])
  expect(await lookedAt('node y.js', { cwd: 'sub' })).toContain('sub/y.js')
  expect(await lookedAt('cd sub && node y.js')).toContain('sub/y.js')
  expect(await lookedAt('cat data.txt')).toEqual([])
  const versions = (): unknown => codeVersions(decision, fileSystem)
  const decision = await decide(
    { name: 'Bash', args: { command: 'bash run.sh' } },
    { rules: [] },
    fileSystem,
  )
  const before = versions()
  expect(versions()).toEqual(before)
  workspace.write('run.sh', 'other')
  expect(versions()).not.toEqual(before)
  workspace.remove()
})
