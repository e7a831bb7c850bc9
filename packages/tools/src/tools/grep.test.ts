import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { type ToolContext, ToolError } from '@toolglot/agent'
import { describe, expect, test } from 'vitest'
import { contextOf, tree, fileSystemAt } from '../../test/tree.ts'
import { nodeSearch } from '../node/search/search.ts'
import { type GrepArguments, type GrepOptions, grepTool } from './grep.ts'
import { isLong } from '../../../../tests/helpers/size.ts'

const search = nodeSearch()

async function grep(
  cwd: string,
  args: GrepArguments,
  { mayShow, ...options }: GrepOptions & Pick<ToolContext, 'mayShow'> = {},
) {
  const tool = grepTool({ fileSystem: fileSystemAt(cwd), search }, options)
  return await tool.execute(args, contextOf(mayShow && { mayShow }))
}

async function shown(cwd: string, args: GrepArguments): Promise<string> {
  const tool = grepTool({ fileSystem: fileSystemAt(cwd), search })
  return tool.show!(await tool.execute(args, contextOf()), args)
}

async function content(cwd: string, args: GrepArguments, options: GrepOptions = {}) {
  const result = await grep(cwd, { output_mode: 'content', '-C': 0, ...args }, options)
  if (result.output_mode !== 'content') throw new Error('another mode')
  return result
}

const SMALL = { 'b.go': 'func one\nfunc two\n', 'a/c.go': 'x\nfunc three', 'd.ts': 'func\n' }

describe('Grep', () => {
  test('returns file names by default, with correct totals', async () => {
    const cwd = tree(SMALL)
    expect(await grep(cwd, { pattern: 'func' })).toEqual({
      output_mode: 'files_with_matches',
      files: ['a/c.go', 'b.go', 'd.ts'],
      total_matches: 4,
      total_files: 3,
      truncated: false,
      path: cwd,
    })
  })

  test('counts matches', async () => {
    expect(await grep(tree(SMALL), { pattern: 'func', output_mode: 'count' })).toMatchObject({
      counts: [
        { file: 'a/c.go', count: 1 },
        { file: 'b.go', count: 2 },
        { file: 'd.ts', count: 1 },
      ],
      total_matches: 4,
    })
  })

  test('returns lines with matches', async () => {
    const { matches, total_matches } = await content(tree(SMALL), {
      pattern: 'func .',
      glob: '*.go',
    })
    expect(matches).toEqual([
      { file: 'a/c.go', line_number: 2, content: 'func three' },
      { file: 'b.go', line_number: 1, content: 'func one' },
      { file: 'b.go', line_number: 2, content: 'func two' },
    ])
    expect(total_matches).toBe(3)
  })

  test('paginates with head_limit and offset, with constant totals', async () => {
    const cwd = tree({ a: 'x\nx\nx\n', b: 'x\n', c: 'y\nx\n' })
    const page = async (offset: number, head_limit = 2) => {
      const { matches, ...rest } = await content(cwd, { pattern: 'x', head_limit, offset })
      return { ...rest, lines: matches.map(({ file, line_number }) => `${file}${line_number}`) }
    }
    expect(await page(0)).toMatchObject({
      lines: ['a1', 'a2'],
      total_matches: 5,
      truncated: true,
      next_offset: 2,
    })
    expect(await page(2)).toMatchObject({ lines: ['a3', 'b1'], next_offset: 4 })
    expect(await page(4)).toMatchObject({ lines: ['c2'], total_matches: 5, truncated: false })
    expect(await page(5)).toMatchObject({ lines: [], total_matches: 5, truncated: false })
    expect((await page(0, 0)).lines).toHaveLength(5)
    expect(await shown(cwd, { pattern: 'x', output_mode: 'content', offset: 9 })).toContain(
      'nothing at offset 9: there are 5',
    )
    expect(await grep(cwd, { pattern: 'x', head_limit: 1, offset: 1 })).toMatchObject({
      files: ['b'],
      next_offset: 2,
      total_files: 3,
      total_matches: 5,
    })
  })

  test('shows 250 by default', async () => {
    const result = await content(tree({ a: 'x\n'.repeat(251) }), { pattern: 'x' })
    expect(result.matches).toHaveLength(250)
    expect(result).toMatchObject({ total_matches: 251, truncated: true, next_offset: 250 })
    expect(await content(tree({ a: 'x\n'.repeat(250) }), { pattern: 'x' })).toMatchObject({
      truncated: false,
    })
  })

  test('shows context lines once', async () => {
    const cwd = tree({ a: '1\n2\nx3\n4\n5\nx6\n7\n8\n9\n10\nx11\nx12\n' })
    const { matches } = await content(cwd, { pattern: 'x', '-C': 1 })
    expect(matches).toEqual([
      { file: 'a', line_number: 3, content: 'x3', before: ['2'], after: ['4'] },
      { file: 'a', line_number: 6, content: 'x6', before: ['5'], after: ['7'] },
      { file: 'a', line_number: 11, content: 'x11', before: ['10'] },
      { file: 'a', line_number: 12, content: 'x12' },
    ])
    const args: GrepArguments = { pattern: 'x', output_mode: 'content', '-B': 0, '-A': 1 }
    expect(await shown(cwd, args)).toBe(
      'a\n3: x3\n4- 4\n--\n6: x6\n7- 7\n--\n11: x11\n12: x12\n(4 matches in 1 file)',
    )
    expect(await shown(cwd, { ...args, '-A': 0, '-n': false })).toBe(
      'a\nx3\nx6\nx11\nx12\n(4 matches in 1 file)',
    )
    // The last match of a page includes the lines after it.
    const page = await content(cwd, { pattern: 'x', '-C': undefined, '-A': 2, head_limit: 1 })
    expect(page.matches).toEqual([{ file: 'a', line_number: 3, content: 'x3', after: ['4', '5'] }])
  })

  test('shows context by default for a few matches', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `line ${index + 1}.`)
    const cwd = tree({ a: lines.join('\n') })
    const around = async (pattern: string, more: Partial<GrepArguments> = {}) => {
      const { matches } = await content(cwd, { pattern, '-C': undefined, ...more })
      return [matches[0]?.before?.length ?? 0, matches[0]?.after?.length ?? 0]
    }
    expect(await around('line 100\\.')).toEqual([50, 50])
    expect(await around('line [123]00\\.')).toEqual([15, 15])
    expect(await around('line ..0\\.')).toEqual([0, 0])
    expect(await around('line 100\\.', { '-C': 0 })).toEqual([0, 0])
    expect(await around('line 100\\.', { '-A': 1 })).toEqual([0, 1])
    expect(await around('100', { '-o': true })).toEqual([0, 0])
  })

  test('never reads a pattern as a flag', async () => {
    const cwd = tree({ a: '--pre=./x --files -e\n', x: '#!/bin/sh\ntouch ran\n' })
    for (const pattern of ['--pre=./x', '--files', '-e', '--', '-', '--regexp=x'])
      expect((await grep(cwd, { pattern })).output_mode).toBe('files_with_matches')
    expect((await content(cwd, { pattern: '--pre=./x' })).matches).toHaveLength(1)
    await grep(cwd, { pattern: 'x', glob: '--pre=./x', type: 'js' })
    expect(existsSync(`${cwd}/ran`)).toBe(false)
  })

  test('ignores ripgrep configuration files', async () => {
    const cwd = tree({ a: 'x\n', '.ripgreprc': '--invert-match\n' })
    process.env['RIPGREP_CONFIG_PATH'] = `${cwd}/.ripgreprc`
    try {
      expect(await grep(cwd, { pattern: 'x', glob: 'a' })).toMatchObject({ total_matches: 1 })
    } finally {
      delete process.env['RIPGREP_CONFIG_PATH']
    }
  })

  test('supports -i, -o, fixed_strings and multiline', async () => {
    const cwd = tree({ a: 'Foo(foo)\nf.o\nbegin\nmiddle\nend\n' })
    const lines = async (args: GrepArguments) =>
      (await content(cwd, args)).matches.map((match) => `${match.line_number} ${match.content}`)
    expect(await lines({ pattern: 'FOO', '-i': true })).toEqual(['1 Foo(foo)'])
    expect(await lines({ pattern: 'foo', '-i': true, '-o': true })).toEqual(['1 Foo', '1 foo'])
    expect(await lines({ pattern: 'f.o', fixed_strings: true })).toEqual(['2 f.o'])
    expect(await lines({ pattern: 'o(f', fixed_strings: true })).toEqual(['1 Foo(foo)'])
    expect(await lines({ pattern: 'begin.*end', multiline: true })).toEqual([
      '3 begin',
      '4 middle',
      '5 end',
    ])
    expect(await content(cwd, { pattern: 'foo', '-i': true, '-o': true })).toMatchObject({
      total_matches: 2,
    })
  })

  test('selects files with glob and type', async () => {
    const cwd = tree({
      'a.ts': 'x',
      'a.test.ts': 'x',
      'src/b.tsx': 'x',
      'src/deep/c.ts': 'x',
      'd.py': 'x',
    })
    const files = async (args: Omit<GrepArguments, 'pattern'>) => {
      const result = await grep(cwd, { pattern: 'x', ...args })
      return result.output_mode === 'files_with_matches' ? result.files : []
    }
    expect(await files({ glob: '*.ts' })).toEqual(['a.test.ts', 'a.ts', 'src/deep/c.ts'])
    expect(await files({ glob: '!*.test.ts', type: 'ts' })).toEqual([
      'a.ts',
      'src/b.tsx',
      'src/deep/c.ts',
    ])
    expect(await files({ glob: 'src/**/*.{ts,tsx}' })).toEqual(['src/b.tsx', 'src/deep/c.ts'])
    expect(await files({ glob: 'src/*.tsx', path: 'src' })).toEqual(['src/b.tsx'])
    expect(await files({ glob: '*.tsx', path: 'src' })).toEqual(['src/b.tsx'])
    expect(await files({ type: 'py' })).toEqual(['d.py'])
    expect(await files({ glob: '*.ts', type: 'py' })).toEqual([])
  })

  test('handles ignored files, .git and hidden files', async () => {
    const cwd = tree({
      '.gitignore': '*.log\ndist\n',
      '.git/config': 'needle',
      '.hidden': 'needle',
      'a.log': 'needle',
      'dist/b.js': 'needle',
    })
    expect(await grep(cwd, { pattern: 'needle' })).toMatchObject({ files: ['.hidden'] })
    // The glob does not match these files.
    for (const [glob, total_matches] of [
      ['*', 1],
      ['**/*', 1],
      ['*.log', 0],
      ['dist/**', 0],
    ] as const)
      expect(await grep(cwd, { pattern: 'needle', glob })).toMatchObject({ total_matches })
    // A path includes them.
    for (const [path, file] of [
      ['a.log', 'a.log'],
      ['dist', 'dist/b.js'],
      ['dist/b.js', 'dist/b.js'],
    ] as const)
      expect(await grep(cwd, { pattern: 'needle', path })).toMatchObject({ files: [file] })
  })

  test('neither shows nor counts denied files', async () => {
    const cwd = tree({ '.env': 'KEY=1\n', 'a.txt': 'KEY\n', 'real/.env': 'KEY\n' })
    symlinkSync(`${cwd}/real`, `${cwd}/link`)
    const mayShow = (path: string) => !path.endsWith('.env')
    for (const output_mode of ['content', 'files_with_matches', 'count'] as const)
      expect(await grep(cwd, { pattern: 'KEY', output_mode }, { mayShow })).toMatchObject({
        total_matches: 1,
        total_files: 1,
      })
    for (const path of ['.env', 'link/.env'])
      await expect(grep(cwd, { pattern: 'KEY', path }, { mayShow })).rejects.toMatchObject({
        errorType: 'permission_denied',
      })
    const really = (path: string) => !path.startsWith(`${cwd}/real`)
    await expect(
      grep(cwd, { pattern: 'KEY', path: 'link' }, { mayShow: really }),
    ).rejects.toMatchObject({ errorType: 'permission_denied' })
  })

  test('cuts long lines, never inside a character', async () => {
    const smile = '\u{1F600}'
    const cwd = tree({
      a: `x${smile.repeat(3000)}\n`,
      b: `x${'\u00e9'.repeat(1500)}\n`,
      c: `x${'y'.repeat(isLong ? 5_000_000 : 500_000)}\nx\n`,
    })
    const { matches } = await content(cwd, { pattern: '^x' })
    const cut = '\u2026 [line cut at 2000 characters]'
    expect(matches[0]?.content).toBe(`x${smile.repeat(999)}${cut}`)
    expect(matches[1]?.content).toBe(`x${'\u00e9'.repeat(1500)}`)
    expect(matches[2]?.content).toBe(`x${'y'.repeat(1999)}${cut}`)
    expect(matches[3]).toMatchObject({ file: 'c', line_number: 2, content: 'x' })
  })

  test('limits a result, which can be continued', async () => {
    const cwd = tree({ a: `${'x'.repeat(1999)}\n`.repeat(300) })
    const result = await content(cwd, { pattern: 'x', head_limit: 0 })
    expect(result.matches).toHaveLength(101)
    expect(result).toMatchObject({ total_matches: 300, truncated: true, next_offset: 101 })
  })

  test('notes binary files', async () => {
    const late = `${'needle in a line\n'.repeat(20_000)}\0`
    const cwd = tree({ 'a.bin': 'needle\0needle', 'b.txt': 'needle\n', 'late.bin': late })
    expect(await grep(cwd, { pattern: 'needle' })).toMatchObject({ files: ['b.txt'] })
    for (const path of ['a.bin', 'late.bin']) {
      const result = await content(cwd, { pattern: 'needle', path })
      expect(result).toMatchObject({ matches: [], total_matches: 0, binary_files: [path] })
    }
    expect(await shown(cwd, { pattern: 'needle', path: 'a.bin' })).toBe(
      'No matches found.\n(a.bin matches, but is not a text file)',
    )
    expect(await grep(cwd, { pattern: 'needle', multiline: true })).toMatchObject({
      files: ['b.txt'],
      binary_files: ['late.bin'],
    })
  })

  test('supports Windows line ends and other encodings', async () => {
    const cwd = tree({
      crlf: 'one\r\ntwo\r\n',
      utf16: Buffer.from('\ufeffone two\n', 'utf16le'),
      latin: Buffer.from('one caf\u00e9\n', 'latin1'),
    })
    expect((await content(cwd, { pattern: 'one$|two$' })).matches).toMatchObject([
      { file: 'crlf', content: 'one' },
      { file: 'crlf', content: 'two' },
      { file: 'utf16', content: 'one two' },
    ])
    expect((await content(cwd, { pattern: 'caf' })).matches[0]?.content).toBe('one caf\ufffd')
  })

  test.each([
    [{ pattern: '(' }, 'invalid_input', /regex parse error[^]*unclosed group/],
    [{ pattern: '(?=a)' }, 'invalid_input', /look-around/],
    [{ pattern: 'a', type: 'nosuch' }, 'invalid_input', /unrecognized file type: nosuch/],
    [{ pattern: '(', path: 'a.txt' }, 'invalid_input', /unclosed group/],
    [{ pattern: 'a', path: 'missing' }, 'not_found', /does not exist/],
    [{ pattern: 'a\0' }, 'invalid_input', /NUL/],
    [{ pattern: 'a', glob: '\0' }, 'invalid_input', /NUL/],
    [{ pattern: 'a', path: 'pipe' }, 'invalid_input', /neither a file nor a folder/],
  ])('refuses %j', async (args, errorType, message) => {
    const cwd = tree({ 'a.txt': 'a' })
    execFileSync('mkfifo', [`${cwd}/pipe`])
    const failure = await grep(cwd, args).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ToolError)
    expect(failure).toMatchObject({ errorType, message: expect.stringMatching(message) as string })
  })

  test('does not block on a pipe in a folder', async () => {
    const cwd = tree({ a: 'x' })
    execFileSync('mkfifo', [`${cwd}/pipe`])
    expect(await grep(cwd, { pattern: 'x' })).toMatchObject({ files: ['a'] })
  })

  test('finds a name with a line break', async () => {
    const cwd = tree({ 'a\nb': 'x\n', c: 'x\n' })
    expect(await grep(cwd, { pattern: 'x' })).toMatchObject({ files: ['a\nb', 'c'] })
    expect((await content(cwd, { pattern: 'x' })).matches).toHaveLength(2)
  })

  test('handles an empty folder', async () => {
    const cwd = tree()
    mkdirSync(`${cwd}/empty`)
    expect(await shown(cwd, { pattern: 'x', path: 'empty' })).toBe('No matches found.')
  })

  test('stops when its signal is aborted', async () => {
    const cwd = tree({ a: 'x' })
    const tool = grepTool({ fileSystem: fileSystemAt(cwd), search })
    const reason = new Error('enough')
    const controller = new AbortController()
    const running = tool.execute({ pattern: 'x' }, contextOf({ signal: controller.signal }))
    setTimeout(() => controller.abort(reason))
    await expect(running).rejects.toBe(reason)
  })
})
