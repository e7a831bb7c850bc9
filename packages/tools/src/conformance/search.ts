import { deepEqual, equal, match } from 'node:assert/strict'
import { utimes } from 'node:fs/promises'
import { type Check, check, type CheckContext } from './check.ts'
import type { GrepMatch } from '../search/grep-result.ts'

const globFiles = ['main.go', 'pkg/server.go', 'pkg/deep/handler.go', 'docs/a.md', 'README.md']

/** Checks of Glob. */
export const glob: readonly Check[] = [
  check('T1.4', 'Glob: one folder, and all below', async ({ put, result }) => {
    for (const name of globFiles) await put(name, 'x\n')
    deepEqual((await result('Glob', { pattern: '*.go' }))['files'], ['main.go'])
    const { files: found, count } = await result('Glob', { pattern: '**/*.go' })
    deepEqual([...(found as string[])].sort(), ['main.go', 'pkg/deep/handler.go', 'pkg/server.go'])
    equal(count, 3)
  }),

  check('T1.4', 'Glob: only below a folder', async ({ put, path, result }) => {
    for (const name of globFiles) await put(name, 'x\n')
    deepEqual((await result('Glob', { pattern: '*.md', path: path('docs') }))['files'], [
      'docs/a.md',
    ])
  }),

  check('T1.4', 'Glob: most recently modified first, then by name', async (context) => {
    for (const [at, name] of ['c.txt', 'a.txt', 'b.txt', 'new.txt'].entries()) {
      await context.put(name, 'x\n')
      await utimes(context.path(name), 0, at === 3 ? 2000 : 1000)
    }
    const { files: found } = await context.result('Glob', { pattern: '*.txt' })
    deepEqual(found, ['new.txt', 'a.txt', 'b.txt', 'c.txt'])
  }),

  check('T1.4', 'Glob: no match, and a missing folder', async ({ result, failure }) => {
    deepEqual((await result('Glob', { pattern: '*.rs' }))['files'], [])
    equal((await failure('Glob', { pattern: '*', path: 'none' })).error_type, 'not_found')
  }),
]

const grepFiles = {
  'a.go': 'package a\nfunc ReadError() {}\nfunc Read() {}\nfunc WriteError() {}\n',
  'b.go': 'package b\n// no ERROR here\n',
  'c.ts': 'const functionError = 1\n',
}

async function search(context: CheckContext, args: Record<string, unknown>) {
  for (const [name, text] of Object.entries(grepFiles)) await context.put(name, text)
  return context.result('Grep', args)
}

/** Checks of Grep. */
export const grep: readonly Check[] = [
  check('T1.5', 'Grep: lines of files that match a glob, with line numbers', async (context) => {
    const args = { pattern: 'func.*Error', glob: '*.go', output_mode: 'content', '-n': true }
    const { matches, total_matches } = await search(context, args)
    const found = (matches as GrepMatch[]).map((each) => [
      each.file,
      each.line_number,
      each.content,
    ])
    deepEqual(found, [
      ['a.go', 2, 'func ReadError() {}'],
      ['a.go', 4, 'func WriteError() {}'],
    ])
    equal(total_matches, 2)
  }),

  check('T1.5', 'Grep: file names', async (context) => {
    const args = { pattern: 'func.*Error', output_mode: 'files_with_matches' }
    const { files: found, total_matches } = await search(context, args)
    deepEqual([...(found as string[])].sort(), ['a.go', 'c.ts'])
    equal(total_matches, 3)
  }),

  check('T1.5', 'Grep: counts', async (context) => {
    const args = { pattern: 'error', output_mode: 'count', '-i': true, path: context.root }
    const { counts } = await search(context, args)
    const byFile = (counts as { file: string; count: number }[]).map((each) => [
      each.file,
      each.count,
    ])
    deepEqual(Object.fromEntries(byFile), { 'a.go': 2, 'b.go': 1, 'c.ts': 1 })
  }),

  check('T1.5', 'Grep: lines around a match', async (context) => {
    const args = { pattern: 'Read\\(', output_mode: 'content', path: 'a.go', '-C': 1 }
    const { matches } = await search(context, args)
    deepEqual(matches, [
      {
        file: 'a.go',
        line_number: 3,
        content: 'func Read() {}',
        before: ['func ReadError() {}'],
        after: ['func WriteError() {}'],
      },
    ])
  }),

  check('T1.5', "Grep: an invalid pattern, with the engine's message", async ({ failure }) => {
    const { error_type, message } = await failure('Grep', { pattern: 'a(' })
    equal(error_type, 'invalid_input')
    match(message, /unclosed group|parenthes/i)
  }),
]
