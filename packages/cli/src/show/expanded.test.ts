import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visibleLine } from '@toolglot/workspace/internal'
import { showExpanded } from './expanded.ts'

test('a call whose text runs as it is shows nothing more', () => {
  expect(showExpanded({}, 80)).toEqual([])
})

test('a long text is wrapped below its beginning', () => {
  expect(showExpanded({ runs: "rm a.log 'b c.log' d.log" }, 24)).toEqual([
    "Runs as: rm a.log 'b",
    "         c.log' d.log",
  ])
})

test('nothing of the text is lost, and none of it controls the terminal or begins a line', () => {
  const odd = fc.constantFrom('\n', '\r', '\t', '\x1b[2K', '\u202e', '\u200b', ' ', "'", 'é', '中')
  const texts = fc.array(fc.oneof(odd, fc.string())).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(texts, fc.integer({ min: 20, max: 118 }), (runs, columns) => {
      const lines = showExpanded({ runs }, columns)
      const dense = (text: string): string => text.replaceAll(/\s/g, '')
      expect(dense(lines.join(''))).toBe(dense(`Runs as: ${visibleLine(runs)}`))
      // oxlint-disable-next-line no-control-regex
      expect(lines.join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b]/)
      const [first, ...others] = lines
      expect(first).toMatch(/^Runs as: /)
      for (const line of others) expect(line).toMatch(/^ {9}\S/)
    }),
  )
})
