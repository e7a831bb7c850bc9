// Laws of path decisions: a denied file is denied in every spelling, and nothing throws.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rulesOf } from '../../test/rules.ts'
import { makeWorkspace, type Workspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import type { FileOperation } from '../decide/operation.ts'
import type { Verdict } from '../rule/rule.ts'
import { judgeFile } from './judge.ts'

let workspace: Workspace

beforeAll(() => {
  workspace = makeWorkspace()
  for (const path of ['secrets/key.txt', 'src/a.ts', 'src/deep/b.ts']) workspace.write(path)
  workspace.link('src/up', '..')
  workspace.link('src/there', '../secrets')
  workspace.link('src/file.ts', 'deep/../there/key.txt')
  workspace.link('src/far', workspace.cwd)
})
afterAll(() => workspace.remove())

function verdictOf(path: string, kind: FileOperation['kind'] = 'read'): Verdict {
  const rules = rulesOf({
    allow: ['Read(**)', 'Edit(**)', 'Read(//**)', 'Edit(//**)', 'Glob', 'Grep'],
    deny: ['Read(secrets/**)'],
  })
  const fileSystem = nodeFileSystem(workspace)
  return judgeFile(rules, fileSystem)({ kind, path, cwd: fileSystem.cwd, because: 'law' }).verdict
}

/** Path segments that lead from the workspace back to it. */
const idle = fc.constantFrom(
  './',
  './/',
  'src/../',
  'src/./deep/../../',
  'src/up/',
  'src/far/',
  'src/up/src/far/./',
  'missing/../',
  '../work/',
)

const start = fc.constantFrom('', '$WORK/', '/$WORK/', '/proc/self/cwd/', '/proc/self/root$WORK/')

const denied = fc.oneof(
  fc.constantFrom('secrets/key.txt', 'src/there/key.txt', 'src/file.ts', 'secrets', 'secrets/'),
  fc.constantFrom('secrets/new', 'src/there/x/../key.txt', 'secrets/./key.txt', 'secrets//key.txt'),
  fc
    .array(fc.boolean(), { minLength: 7, maxLength: 7 })
    .map((upper) =>
      Array.from('secrets', (letter, at) => (upper[at] ? letter.toUpperCase() : letter)),
    )
    .map((letters) => `${letters.join('')}/key.txt`),
  fc.constantFrom('ſecrets/key.txt', 'secretſ/key.txt', 'ｓecrets/key.txt', 'secrets\\key.txt'),
)

test('never allows any spelling of a denied path', () => {
  fc.assert(
    fc.property(
      start,
      fc.array(idle, { maxLength: 6 }),
      denied,
      fc.constantFrom<FileOperation['kind']>('read', 'write', 'list'),
      (from, steps, path, kind) => {
        const text = `${from.replace('$WORK', workspace.cwd)}${steps.join('')}${path}`
        expect(verdictOf(text, kind)).not.toBe('allow')
      },
    ),
    { numRuns: 1000 },
  )
})

test('equivalent spellings of an allowed path are allowed', () => {
  fc.assert(
    fc.property(fc.array(idle, { maxLength: 6 }), (steps) => {
      expect(verdictOf(`${steps.join('')}src/a.ts`)).toBe('allow')
    }),
  )
})

test('never throws for any path, and denies NUL', () => {
  const odd = fc.constantFrom('\0', '\u202e', '\\', '/', '..', '~', 'C:', '::$DATA', '\ud800', '%')
  const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), odd)).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.constantFrom('read', 'write', 'list'), (path, kind) => {
      const verdict = verdictOf(path, kind)
      expect(['allow', 'ask', 'deny']).toContain(verdict)
      if (path.includes('\0')) expect(verdict).toBe('deny')
    }),
  )
})

test('never throws for any rules', () => {
  const texts = fc.array(fc.string({ unit: 'binary' }).map((pattern) => `Read(${pattern})`))
  fc.assert(
    fc.property(texts, texts, texts, (allow, ask, deny) => {
      const fileSystem = nodeFileSystem(workspace)
      const judge = judgeFile(rulesOf({ allow, ask, deny }), fileSystem)
      const { verdict } = judge({
        kind: 'read',
        path: 'src/a.ts',
        cwd: fileSystem.cwd,
        because: 'law',
      })
      expect(['allow', 'ask', 'deny']).toContain(verdict)
    }),
  )
})
