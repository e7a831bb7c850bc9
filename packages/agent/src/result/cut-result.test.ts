import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ToolContext } from '../tool/tool.ts'
import { cutResult } from './cut-result.ts'
import { readMoreTool } from '../run/calls/run-tools.ts'

const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}`).join('\n')
const context: ToolContext = { signal: AbortSignal.abort(), call: 'x', progress: () => {} }

test('leaves text that fits unchanged', () => {
  expect(cutResult(lines, lines.length)).toBe(lines)
})

test('keeps whole lines at the beginning and the end, and explains how to see the rest', () => {
  const cut = cutResult(lines, 400, 'c1')
  expect(cut.length).toBeLessThanOrEqual(400)
  const [head, tail] = cut.split(/\[.*\]/) as [string, string]
  expect(head.trimEnd().split('\n').at(-1)).toMatch(/^line \d+$/)
  expect(head).toMatch(/^line 0\nline 1\n/)
  expect(tail).toMatch(/^\nline \d+\n/)
  expect(tail).toMatch(/line 999$/)
  expect(cut).toMatch(
    /\[\d+ of 8889 characters were omitted here\. Call ReadMore with \{"call":"c1","offset":\d+\} to see them\.\]/,
  )
  expect(cutResult(lines, 400)).toContain('Request less')
})

test('splits a single long line between characters', () => {
  expect(cutResult('😀'.repeat(1000), 501)).not.toMatch(/\p{Surrogate}/u)
})

test('ReadMore continues at the offset in the notice', async () => {
  const more = readMoreTool(() => lines, { page: 1000 })
  const cut = cutResult(lines, 400, 'c1')
  let offset = Number(/"offset":(\d+)/.exec(cut)![1])
  let all = lines.slice(0, offset)
  for (;;) {
    const page = (await more.execute({ call: 'c1', offset }, context)) as string
    all += page.slice(0, page.lastIndexOf('\n['))
    const next = /"offset":(\d+)/.exec(page)
    if (!next) break
    offset = Number(next[1])
  }
  expect(all).toBe(lines)
})

test('ReadMore rejects unknown calls and offsets past the end', () => {
  const more = readMoreTool((call) => (call === 'known' ? 'abc' : undefined))
  expect(() => more.execute({ call: 'other' }, context)).toThrow(
    'No result has the id "other". Use the id',
  )
  expect(() => more.execute({ call: 'known', offset: 3 }, context)).toThrow('offset must be below')
})

test('law: the result is never longer than the limit, and its parts add up', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\n')), { maxLength: 200 }),
      fc.integer({ min: 200, max: 600 }),
      (parts, maxLength) => {
        const text = parts.join('\n').repeat(5)
        fc.pre(text.length > maxLength && !/\p{Surrogate}/u.test(text) && !text.includes('omitted'))
        const cut = cutResult(text, maxLength, 'c')
        expect(cut.length).toBeLessThanOrEqual(maxLength)
        expect(cut).not.toMatch(/\p{Surrogate}/u)
        const [notice, leftOut] =
          /\n\[(\d+) of \d+ characters were omitted here.*\]\n/.exec(cut) ?? []
        expect(cut.length - notice!.length + Number(leftOut)).toBe(text.length)
        const at = cut.indexOf(notice!)
        expect(text.startsWith(cut.slice(0, at))).toBe(true)
        expect(text.endsWith(cut.slice(at + notice!.length))).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})
