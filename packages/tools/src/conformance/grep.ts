import { deepEqual, equal, match } from 'node:assert/strict'
import type { GrepMatch } from '../search/grep-result.ts'
import { type CheckContext, type Check, check } from './check.ts'

const files = {
  'a.go': 'package a\nfunc ReadError() {}\nfunc Read() {}\nfunc WriteError() {}\n',
  'b.go': 'package b\n// no ERROR here\n',
  'c.ts': 'const functionError = 1\n',
}

async function search(context: CheckContext, args: Record<string, unknown>) {
  for (const [name, text] of Object.entries(files)) await context.put(name, text)
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

  check('T1.5', 'Grep: an invalid pattern, with the message of the engine', async ({ failure }) => {
    const { error_type, message } = await failure('Grep', { pattern: 'a(' })
    equal(error_type, 'invalid_input')
    match(message, /unclosed group|parenthes/i)
  }),
]
