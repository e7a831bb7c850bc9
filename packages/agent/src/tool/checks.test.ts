import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RuleTexts, rulesOf } from '../../../permissions/test/rules.ts'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { canonicalTools, type DecisionPart, judgeFile } from '@toolglot/permissions'
import { checksOf } from '@toolglot/permissions/internal'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { toolsByName } from './any-tool.ts'
import { execute } from './execute.ts'
import { tool, type ToolContext } from './tool.ts'
import { runs } from '../../../../tests/helpers/size.ts'

/** The context of a Grep call in a new folder. All requests are approved. */
async function contextOf(
  texts: RuleTexts,
  { args = {}, files = [] }: { args?: Record<string, unknown>; files?: readonly string[] } = {},
): Promise<ToolContext & { readonly cwd: string }> {
  const cwd = folderOf(Object.fromEntries(files.map((name) => [name, ''])))
  let found: ToolContext | undefined
  const grep = tool({
    name: 'Grep',
    description: 'Search',
    parameters: { type: 'object' },
    access: canonicalTools.get('Grep')!,
    execute: (_, context) => void (found = context),
  })
  const outcome = await execute(
    { id: '1', name: 'Grep', args: { pattern: 'x', ...args } },
    {
      tools: toolsByName([grep]),
      permissions: { rules: rulesOf(texts, cwd) },
      fileSystem: nodeFileSystem({ cwd }),
      approve: async () => ({ verdict: 'allow' }),
    },
  )
  expect(outcome).toMatchObject({ status: 'success' })
  return { ...found!, cwd }
}

test.each<[about: string, texts: RuleTexts, path: string | undefined, shown: string, not: string]>([
  ['no rule', {}, undefined, 'a .env secrets/b', ''],
  ['a name', { deny: ['Read(.env)'] }, undefined, 'a secrets/b', '.env secrets/.env'],
  ['a folder', { deny: ['Read(secrets/**)'] }, undefined, 'a', 'secrets secrets/b secrets/c/d'],
  ['its own rule', { deny: ['Grep(secrets/**)'] }, undefined, 'a', 'secrets/b'],
  ["another tool's rule", { deny: ['Glob(secrets/**)'] }, undefined, 'a secrets/b', ''],
  ['a rule against writing', { deny: ['Edit(a)'] }, undefined, 'a', ''],
  ['a rule that asks', { ask: ['Read(.env)'] }, undefined, 'a', '.env secrets/.env'],
  ['a rule that asks, approved', { ask: ['Read(.env)'] }, '.env', '.env', ''],
  [
    'a rule that asks, approved for a folder',
    { ask: ['Read(secrets/**)'] },
    'secrets',
    'secrets/b secrets/c/d',
    '',
  ],
  [
    'but not another rule that asks',
    { ask: ['Read(secrets/**)', 'Read(keys/**)', 'Read(**/*.pem)'] },
    'secrets',
    'secrets/b',
    'keys/a b.pem',
  ],
  ['a rule that allows some files', { allow: ['Read(src/**)'] }, 'src/a', 'src/a src/b', 'lib/a'],
  [
    'a rule that allows some files, and an approved folder',
    { allow: ['Read(src/**)'] },
    'lib',
    'src/a lib/a',
    'a',
  ],
  ['outside the workspace, approved', {}, '/usr', '/usr/share', ''],
  [
    'outside the workspace, but denied',
    { deny: ['Read(//usr/share/**)'] },
    '/usr',
    '/usr/a',
    '/usr/share/a',
  ],
])('%s: %j', async (_, texts, path, shown, not) => {
  const { mayShow, cwd } = await contextOf(texts, { args: path === undefined ? {} : { path } })
  const all = (names: string): string[] => names.split(' ').filter((name) => name !== '')
  const isShown = (name: string): boolean[] =>
    (name.startsWith('/') ? [name] : [name, `./${name}`, join(cwd, name)]).map(mayShow!)
  for (const name of all(shown)) expect([name, ...isShown(name)]).not.toContain(false)
  for (const name of all(not)) expect([name, ...isShown(name)]).not.toContain(true)
})

test('all names of a denied file are hidden: links, links to its folder, hard links', async () => {
  const files = ['.env', 'secrets/a', 'open']
  const { mayShow, cwd } = await contextOf({ deny: ['Read(.env)', 'Read(secrets/**)'] }, { files })
  const at = (name: string): string => join(cwd, name)
  symlinkSync('.env', at('link'))
  symlinkSync('secrets', at('folder'))
  symlinkSync('folder', at('further'))
  linkSync(at('.env'), at('twin'))
  symlinkSync('open', at('other'))
  const names = ['link', 'folder', 'folder/a', 'further/a', 'twin', 'other', 'open']
  const shown = names.filter((name) => mayShow!(at(name)))
  expect(shown).toEqual(['other', 'open'])
})

test('a page is checked against the rules of the call', async () => {
  const texts = { deny: ['WebFetch(domain:bad.test)'], allow: ['WebFetch(domain:good.test)'] }
  const { judgePage } = await contextOf(texts)
  const open = { addresses: ['93.184.216.34'] }
  const verdicts = ['https://good.test/', 'https://www.bad.test/', 'https://other.test/'].map(
    (url) => [judgePage!(url).verdict, judgePage!(url, open).verdict],
  )
  expect(verdicts).toEqual([
    ['allow', 'allow'],
    ['deny', 'deny'],
    ['ask', 'ask'],
  ])
  expect(judgePage!('https://good.test/', { addresses: ['10.0.0.1'] }).verdict).toBe('deny')
})

test('the fast check of many files agrees with the individual decisions', async () => {
  const name = fc.oneof(
    fc.constantFrom('.env', 'a.pem', 'A.PEM', 'b.ts', 'secrets', 'é', 'x~1', 'y.'),
    fc.string({ unit: fc.constantFrom('a', 'b', 'B', '.'), minLength: 1, maxLength: 4 }),
  )
  const part = fc.oneof(
    fc.constantFrom('.env', '*.pem', '*', '**', 's?crets', '[bc]*', 'é', 'b.t+', '*ecr*'),
    fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), minLength: 1, maxLength: 5 }),
  )
  const pattern = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
  const texts = fc.record({
    deny: fc.array(
      pattern.map((each) => `Read(${each})`),
      { maxLength: 3 },
    ),
    ask: fc.array(
      pattern.map((each) => `Read(${each})`),
      { maxLength: 2 },
    ),
  })
  const paths = fc.array(
    fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
    { minLength: 1, maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(texts, paths, async (rules, files) => {
      const cwd = folderOf()
      for (const [at, file] of files.entries()) {
        try {
          mkdirSync(dirname(join(cwd, file)), { recursive: true })
          if (at % 3 === 2) symlinkSync(join(cwd, files[0]!), join(cwd, file))
          else if (at % 3 === 1) linkSync(join(cwd, files[0]!), join(cwd, file))
          else writeFileSync(join(cwd, file), '')
        } catch {
          // The name now refers to another file.
        }
      }
      const fileSystem = nodeFileSystem({ cwd })
      const list = rulesOf(rules, cwd)
      const operation = { kind: 'read', cwd, because: 'Grep', tool: 'Grep' } as const
      const judge = judgeFile(list, fileSystem)
      const folder = judge({ ...operation, path: cwd })
      fc.pre(folder.verdict === 'allow')
      const { mayShow } = checksOf({ name: 'Grep', parts: [folder] }, list, fileSystem)
      for (const path of files.map((file) => join(cwd, file)))
        expect([path, mayShow(path)]).toEqual([path, isShown(judge({ ...operation, path }))])
    }),
    runs(500),
  )
})

/**
 * The decision covers the whole folder. Only files under a rule that asks need a separate approval.
 */
function isShown({ verdict, rule }: DecisionPart): boolean {
  return verdict === 'allow' || (verdict === 'ask' && rule === undefined)
}
