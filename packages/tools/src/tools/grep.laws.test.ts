import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../tests/helpers/size.ts'
import { contextOf, tree, fileSystemAt } from '../../test/tree.ts'
import { nodeSearch } from '../node/search/search.ts'
import { type GrepArguments, grepTool } from './grep.ts'

const search = nodeSearch()

/** A small tree of text files, and a pattern with the same meaning in ripgrep and JavaScript. */
const line = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '(', 'é', '😀'), maxLength: 6 })
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, ends]) => lines.join(end) + (ends && lines.length > 0 ? end : ''))
const name = fc.constantFrom('a', 'b.txt', 'c/d', 'c/e/f', 'c-', 'c/é', '-x')
const files = fc.dictionary(name, text, { maxKeys: 5 })
const pattern = fc.constantFrom(
  'a',
  'b+',
  'a|c',
  '^a',
  'c$',
  '[ab]{2}',
  '\\(',
  '.',
  'a b',
  'x',
  'é',
)

interface Line {
  readonly file: string
  readonly line_number: number
  readonly content: string
}

/** The expected matches, found line by line. */
function read(tree: Readonly<Record<string, string>>, pattern: RegExp): Line[] {
  return Object.keys(tree)
    .sort((one, other) => (one < other ? -1 : 1))
    .flatMap((file) => {
      const lines = tree[file]!.split('\n').map((each) => each.replace(/\r$/, ''))
      if (lines.at(-1) === '') lines.pop()
      return lines
        .map((content, index) => ({ file, line_number: index + 1, content }))
        .filter(({ content }) => content.search(pattern) >= 0)
    })
}

function grepIn(cwd: string) {
  const tool = grepTool({ fileSystem: fileSystemAt(cwd), search })
  return async (args: GrepArguments) => tool.execute(args, contextOf())
}

test('finds the same lines as a line-by-line search, with correct totals in every mode', async () => {
  await fc.assert(
    fc.asyncProperty(files, pattern, fc.boolean(), async (files, pattern, ignoreCase) => {
      const grep = grepIn(tree(files))
      const expected = read(files, new RegExp(pattern, ignoreCase ? 'iu' : 'u'))
      const args = { pattern, '-i': ignoreCase, '-C': 0, head_limit: 0 }
      const total_files = new Set(expected.map(({ file }) => file)).size
      const totals = { total_matches: expected.length, total_files }
      expect(await grep({ ...args, output_mode: 'content' })).toMatchObject({
        matches: expected,
        ...totals,
      })
      expect(await grep({ ...args, output_mode: 'count' })).toMatchObject(totals)
      expect(await grep(args)).toMatchObject({
        files: [...new Set(expected.map(({ file }) => file))],
        ...totals,
      })
    }),
    runs(60),
  )
})

test('pages of any size contain every match once, each with correct totals', async () => {
  const options = fc.record({
    multiline: fc.boolean(),
    '-o': fc.boolean(),
    '-C': fc.constantFrom(0, 1, 3),
  })
  const size = fc.integer({ min: 1, max: 7 })
  await fc.assert(
    fc.asyncProperty(files, pattern, options, size, async (files, pattern, options, head_limit) => {
      const grep = grepIn(tree(files))
      const args = { pattern, output_mode: 'content' as const, ...options }
      const whole = await grep({ ...args, head_limit: 0 })
      if (whole.output_mode !== 'content') throw new Error('another mode')
      expect(whole.matches).toHaveLength(whole.total_matches)
      const paged: Line[] = []
      let offset: number | undefined = 0
      while (offset !== undefined) {
        const page = await grep({ ...args, head_limit, offset })
        if (page.output_mode !== 'content') throw new Error('another mode')
        expect(page.total_matches).toBe(whole.total_matches)
        expect(page.total_files).toBe(whole.total_files)
        expect(page.truncated).toBe(offset + page.matches.length < whole.total_matches)
        paged.push(...page.matches)
        offset = page.next_offset
      }
      const bare = ({ file, line_number, content }: Line): Line => ({ file, line_number, content })
      expect(paged.map(bare)).toEqual(whole.matches.map(bare))
    }),
    runs(25),
  )
}, 60_000)
