import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync } from 'node:fs'
import { type ToolContext, ToolError } from '@toolglot/agent'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contextOf, grow, tree, fileSystemAt } from '../../test/tree.ts'
import { nodeSearch } from '../node/search/search.ts'
import { readGlob } from '../search/glob.ts'
import { type GlobArguments, type GlobOptions, globTool } from './glob.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'
import { runs } from '../../../../tests/helpers/size.ts'

const isRoot = await lacks('a user other than root')

const search = nodeSearch()

async function glob(
  cwd: string,
  args: GlobArguments,
  { mayShow, ...options }: GlobOptions & Pick<ToolContext, 'mayShow'> = {},
) {
  const tool = globTool(
    { fileSystem: fileSystemAt(cwd), search },
    { ignoredTimeout: 20_000, ...options },
  )
  return await tool.execute(args, contextOf(mayShow && { mayShow }))
}

describe('Glob', () => {
  test('finds by pattern, most recently changed first', async () => {
    const cwd = tree({ 'z.go': '', 'a/b.go': '', 'a/c.ts': '', 'a.go': '' })
    expect(await glob(cwd, { pattern: '**/*.go' })).toEqual({
      files: ['z.go', 'a/b.go', 'a.go'],
      count: 3,
      total: 3,
      truncated: false,
      path: cwd,
      ignored: 0,
    })
    expect((await glob(cwd, { pattern: '*.go' })).files).toEqual(['z.go', 'a.go'])
  })

  test('sorts files with the same time by name', async () => {
    const cwd = tree()
    for (const name of ['b', 'c', 'a', 'B', 'ä']) grow(cwd, { [name]: '' })
    execFileSync('touch', ['-d', '2020-01-01', 'a', 'b', 'c', 'B', 'ä'], { cwd })
    expect((await glob(cwd, { pattern: '*' })).files).toEqual(['B', 'a', 'b', 'c', 'ä'])
  })

  test.each([
    [99, 99, false],
    [100, 100, false],
    [101, 100, true],
  ])('of %i files %i are listed, truncated: %s', async (total, count, truncated) => {
    const names = Array.from({ length: total }, (_, index) => [`${index}.txt`, ''])
    const found = await glob(tree(Object.fromEntries(names)), { pattern: '**/*.txt' })
    expect(found).toMatchObject({ total, count, truncated })
    expect(found.files).toHaveLength(count)
    expect(found.files[0]).toBe('0.txt')
  })

  test('excludes ignored files, counts them, and lists them with no_ignore', async () => {
    const cwd = tree({
      '.gitignore': 'node_modules\n*.log\n!kept.log\n',
      'a.js': '',
      'kept.log': '',
      'b.log': '',
      'node_modules/x/c.js': '',
      'node_modules/x/d.js': '',
    })
    for (const pattern of ['**/*.js', '**/*.{js,jsx}', '**/[abcd].js'])
      expect(await glob(cwd, { pattern })).toMatchObject({ files: ['a.js'], ignored: 2 })
    expect(await glob(cwd, { pattern: '**/*.log' })).toMatchObject({
      files: ['kept.log'],
      ignored: 1,
    })
    expect((await glob(cwd, { pattern: '**/*' })).files).toEqual(['.gitignore', 'a.js', 'kept.log'])
    expect((await glob(cwd, { pattern: '**' })).total).toBe(3)
    const all = await glob(cwd, { pattern: '**/*.js', no_ignore: true })
    expect([...all.files].sort()).toEqual(['a.js', 'node_modules/x/c.js', 'node_modules/x/d.js'])
    expect(all.ignored).toBeUndefined()
  })

  test('finds names that look like patterns', async () => {
    const names = [
      'app/[id].tsx',
      'app/(group)/page.tsx',
      'app/{a,b}.tsx',
      'app/a*b.tsx',
      'app/i.tsx',
    ]
    const cwd = tree(Object.fromEntries(names.map((name) => [name, ''])))
    for (const name of names) expect((await glob(cwd, { pattern: name })).files).toContain(name)
    expect((await glob(cwd, { pattern: 'app/(group)/page.tsx' })).files).toHaveLength(1)
    expect((await glob(cwd, { pattern: 'app/[id].tsx' })).total).toBe(2)
  })

  test('finds names with line breaks, spaces, colons, quotes and a leading dash', async () => {
    const names = ['a\nb.txt', ' c .txt', 'd:e.txt', `f'"g.txt`, '--pre=x.txt', '.h.txt', 'é😀.txt']
    const cwd = tree(Object.fromEntries(names.map((name) => [name, ''])))
    expect((await glob(cwd, { pattern: '*.txt' })).files).toEqual(names)
    expect((await glob(cwd, { pattern: 'd:*.txt' })).files).toEqual(['d:e.txt'])
    expect((await glob(cwd, { pattern: '--pre=*' })).files).toEqual(['--pre=x.txt'])
  })

  test('hides denied files, even through a link', async () => {
    const cwd = tree({ '.env': '', 'a.txt': '', 'secrets/key.pem': '' })
    symlinkSync(`${cwd}/secrets`, `${cwd}/link`)
    const mayShow = (path: string) => !path.endsWith('.env') && !path.includes('/secrets')
    expect(await glob(cwd, { pattern: '**' }, { mayShow })).toMatchObject({
      files: ['a.txt'],
      total: 1,
    })
    await expect(glob(cwd, { pattern: '*', path: 'link' }, { mayShow })).rejects.toMatchObject({
      errorType: 'permission_denied',
    })
  })

  test('never lists .git, but other hidden files', async () => {
    const cwd = tree({ '.git/config': '', 'sub/.git/x': '', '.github/ci.yml': '' })
    const { files } = await glob(cwd, { pattern: '**', no_ignore: true })
    expect(files).toEqual(['.github/ci.yml'])
  })

  test('does not follow links', async () => {
    const outside = tree({ 'x.txt': '' })
    const cwd = tree({ 'a.txt': '' })
    symlinkSync(outside, `${cwd}/out`)
    expect((await glob(cwd, { pattern: '**/*.txt' })).files).toEqual(['a.txt'])
    expect((await glob(cwd, { pattern: 'out/*.txt' })).files).toEqual([])
  })

  test('searches another folder: relative, absolute, outside', async () => {
    const cwd = tree({ 'docs/a.md': '', 'docs/b/c.md': '' })
    for (const path of ['docs', './docs/', `${cwd}/docs`])
      expect(await glob(cwd, { pattern: '*.md', path })).toMatchObject({
        files: ['docs/a.md'],
        path: `${cwd}/docs`,
      })
    const outside = tree({ 'd.md': '' })
    const found = await glob(cwd, { pattern: '*.md', path: outside })
    expect(found.files).toEqual([`${outside}/d.md`])
    expect((await glob(cwd, { pattern: `${cwd}/docs/*.md` })).files).toEqual(['docs/a.md'])
  })

  test.each([
    [{ pattern: '*', path: 'missing' }, 'not_found', /missing does not exist/],
    [{ pattern: '*', path: 'a.txt/x' }, 'not_found', /does not exist/],
    [{ pattern: '*', path: 'a.txt' }, 'invalid_input', /a\.txt is not a folder/],
    [{ pattern: 'a\0b' }, 'invalid_input', /NUL/],
    [{ pattern: '*', path: 'a\0b' }, 'invalid_input', /NUL/],
    [{ pattern: '../*' }, 'invalid_input', /Set path to the folder/],
    [{ pattern: 'a/../../*' }, 'invalid_input', /Set path to the folder/],
    [{ pattern: '/etc/*' }, 'invalid_input', /Set path to the folder/],
    [{ pattern: '{a,b}'.repeat(20) }, 'invalid_input', /and 256 patterns/],
  ])('refuses %j', async (args, errorType, message) => {
    const cwd = tree({ 'a.txt': '' })
    const failure = await glob(cwd, args).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ToolError)
    expect(failure).toMatchObject({ errorType, message: expect.stringMatching(message) as string })
  })

  test.skipIf(isRoot)('reports an unreadable folder, and finds the rest', async () => {
    const cwd = tree({ 'a.txt': '', 'closed/b.txt': '' })
    chmodSync(`${cwd}/closed`, 0)
    const found = await glob(cwd, { pattern: '**/*.txt' })
    chmodSync(`${cwd}/closed`, 0o700)
    expect(found.files).toEqual(['a.txt'])
    expect(found.problems?.join()).toContain('closed')
  })

  test('stops when its signal is aborted', async () => {
    const cwd = tree({ 'a.txt': '' })
    const tool = globTool({ fileSystem: fileSystemAt(cwd), search })
    const reason = new Error('enough')
    const before = tool.execute({ pattern: '*' }, contextOf({ signal: AbortSignal.abort(reason) }))
    await expect(before).rejects.toBe(reason)
    const controller = new AbortController()
    const during = tool.execute({ pattern: '*' }, contextOf({ signal: controller.signal }))
    setTimeout(() => controller.abort(reason))
    await expect(during).rejects.toBe(reason)
  })

  test('is shown as a list with notes', async () => {
    const cwd = tree({ '.gitignore': '*.log', 'a.log': '', 'b.txt': '' })
    const tool = globTool({ fileSystem: fileSystemAt(cwd), search }, { ignoredTimeout: 20_000 })
    const shown = async (args: GlobArguments) =>
      tool.show!(await tool.execute(args, contextOf()), args)
    expect(await shown({ pattern: '*.txt' })).toBe('b.txt')
    expect(await shown({ pattern: '*.log' })).toBe(
      'No files found.\n(1 more is ignored by .gitignore; use no_ignore: true to list them.)',
    )
    grow(cwd, Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`${index}.md`, ''])))
    expect(await shown({ pattern: '*.md' })).toMatch(
      /\n99\.md\n\(Showing 100 of 101 files, most recently changed first\. Narrow/,
    )
  })
})

test('finds the same names as checking every name', async () => {
  const folders = fc.array(fc.constantFrom('a', 'b', '(g)'), { maxLength: 2 })
  const name = fc
    .tuple(folders, fc.constantFrom('a', 'b', 'c.ts', 'd.js', '[e]', '.f'))
    .map(([parts, last]) => [...parts, last].join('/'))
  const pattern = fc.constantFrom(
    ...[
      '**/*.ts',
      '*',
      '**',
      'a/*',
      '**/b/**',
      '{a,b}/**/*.{ts,js}',
      '**/[a-b]',
      '**/[e]',
      '(g)/**',
    ],
  )
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { maxLength: 12 }), pattern, async (names, pattern) => {
      const files = names.filter((file) => !names.some((other) => other.startsWith(`${file}/`)))
      const cwd = tree(Object.fromEntries(files.map((file) => [file, ''])))
      const { files: found } = await glob(cwd, { pattern })
      const { matches } = readGlob(pattern)!
      expect([...found].sort()).toEqual(files.filter((file) => matches(file)).sort())
    }),
    runs(100),
  )
})
