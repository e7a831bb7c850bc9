import { afterAll, expect, test } from 'vitest'
import { rulesOf } from '../../test/rules.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import { decide } from './decide.ts'

const workspace = makeWorkspace()
const { cwd } = workspace
const DEPTH = 14
workspace.write(`${'d/'.repeat(DEPTH)}package.json`)
workspace.write('notes.txt')
for (let at = 0; at < 500; at++) workspace.link(`links/${at}`, '../notes.txt')
afterAll(() => workspace.remove())

const fileSystem = nodeFileSystem({ cwd, home: workspace.home })
async function decideOn(command: string, deny: readonly string[] = []) {
  const allow = ['cat', 'echo', 'git', 'grep', 'mkdir'].map((name) => `Bash(${name}:*)`)
  const permissions = { rules: rulesOf({ allow, deny }, cwd) }
  return decide({ name: 'Bash', args: { command } }, permissions, fileSystem)
}

test('an unknown lookup is not treated as a missing file', async () => {
  const pattern = Array.from({ length: DEPTH }, () => '*').join('/')
  expect((await decideOn(`cat ${pattern}`)).verdict).toBe('ask')
  expect((await decideOn(`git add ${pattern}`)).verdict).toBe('ask')
  expect((await decideOn('cat d/*/*')).verdict).toBe('allow')
})

test('stops at nested loops', async () => {
  const loops = 'abcdef'
    .split('')
    .map((name) => `for ${name} in {1..50}; do `)
    .join('')
  const { verdict, parts } = await decideOn(`${loops}[[ -f $a ]]; echo $b${'; done'.repeat(6)}`)
  expect(verdict).toBe('ask')
  expect(parts.map(({ why }) => why)).toContain('has loops with more than 500 iterations')
  expect((await decideOn('for a in 1 2; do for b in 1 2; do echo $a$b; done; done')).verdict).toBe(
    'allow',
  )
})

test('a folder is not searched repeatedly', async () => {
  const search = 'grep -rn x links'
  expect((await decideOn(search, ['Read(.env)'])).verdict).toBe('allow')
  const often = await decideOn(Array.from({ length: 20 }, () => search).join('; '), ['Read(.env)'])
  expect(often).toMatchObject({ verdict: 'ask', why: 'uses more files than can be checked' })
})

test('looks up only once which files git add would track, even if a command adds them repeatedly', async () => {
  let looks = 0
  const entries = Array.from({ length: 100 }, (_, at) => ({
    get path() {
      looks++
      return `a${at}.txt`
    },
    kind: 'file' as const,
  }))
  const counting = { ...fileSystem, list: async () => entries }
  const looksFor = async (count: number): Promise<number> => {
    looks = 0
    const command = 'git add .; '.repeat(count)
    const permissions = { rules: rulesOf({ allow: ['Bash(git:*)'] }, cwd) }
    await decide({ name: 'Bash', args: { command } }, permissions, counting)
    return looks
  }
  expect(await looksFor(1)).toBeGreaterThan(0)
  expect(await looksFor(50)).toBeLessThan(2 * (await looksFor(1)) + 1)
})

test.each(['identify', 'list', 'identify list', 'version repository obeyedByGit temporary wrote'])(
  'undefined methods of the view are treated as missing: %s',
  async (names) => {
    const methods = names.split(' ')
    const without = Object.fromEntries(methods.map((method) => [method, undefined]))
    const entries = Object.entries(fileSystem).filter(([name]) => !methods.includes(name))
    const missing = Object.fromEntries(entries) as typeof fileSystem
    const allow = ['Bash(mv *)', 'Bash(git *)', 'Edit(**)', 'Write(**)']
    const permissions = { rules: rulesOf({ allow, deny: ['Edit(x/secret/**)'] }, cwd) }
    const decided = (command: string, view: typeof fileSystem) =>
      decide({ name: 'Bash', args: { command } }, permissions, view)
    for (const command of [
      'mv x src/y',
      'mv notes.txt y',
      'git add links',
      'git mv d e',
      'cat d/*',
    ])
      expect(await decided(command, { ...fileSystem, ...without })).toEqual(
        await decided(command, missing),
      )
    // Without `identify`, moving a missing folder may move a denied file.
    const { verdict } = await decided('mv x src/y', { ...fileSystem, ...without })
    expect(verdict).toBe(methods.includes('identify') ? 'ask' : 'allow')
  },
)
