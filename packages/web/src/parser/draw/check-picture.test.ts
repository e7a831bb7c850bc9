import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Examples, Protocol } from '@toolglot/core'
import { readPicture } from '@toolglot/core/picture'
import { checkPicture, lineColumn } from './check-picture.ts'
import { STARTS } from './starts.ts'
import * as arrow from './starts/arrow.ts'
import * as lines from './starts/lines.ts'
import * as list from './starts/list.ts'
import * as tags from './starts/tags.ts'
import { isLong, share } from '../../../../../tests/helpers/size.ts'

/** The same files, loaded as the command loads them. */
const files = { arrow, lines, list, tags }

describe('templates', () => {
  test.each(share(STARTS, 5))('$id satisfies the laws', ({ id, source }) => {
    const checked = checkPicture(source, { texts: isLong ? 20 : 2 })
    expect(checked.problems).toEqual([])
    expect(checked.laws.filter(({ failures }) => failures.length > 0)).toEqual([])
    expect(checked).toMatchObject({ id, isTaken: false, prompt: { text: expect.any(String) } })
    expect(structuredClone(checked)).toEqual(checked)
    const file: { default: Protocol; examples: Examples } = files[id]
    expect(file.default.id).toBe(id)
    expect(readPicture(source).examples).toEqual(file.examples)
  })
})

test('reports errors with their place', () => {
  const [{ source }] = STARTS
  const checked = checkPicture(source.replace('${args} <=`', '${arks} <=`'))
  expect(checked.problems).toMatchObject([{ line: 18, column: 27 }])
  expect(checked.problems[0]!.message).toContain('Did you mean `args`?')
  expect(checked.laws).toEqual([])
})

test('reports an id that is taken', () => {
  const [{ source }] = STARTS
  expect(checkPicture(source.replace("'arrow'", "'hermes'"), { texts: 0 }).isTaken).toBe(true)
})

test('explains why printing the prompt failed', () => {
  const [{ source }] = STARTS
  const { prompt } = checkPicture(source.replace('tool.name)', 'tool.nam)'), { texts: 0 })
  expect(prompt).toMatchObject({ error: expect.stringContaining('`nam`') })
})

test('converts positions to lines and columns', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.nat(), (lines, place) => {
      const text = lines.join('\n')
      const at = place % (text.length + 1)
      const before = text.slice(0, at).split('\n')
      expect(lineColumn(text, at)).toEqual({
        line: before.length,
        column: before.at(-1)!.length + 1,
      })
    }),
  )
})
