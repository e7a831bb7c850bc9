import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { Marks, NAME } from './marks.ts'
import { namesOf } from './names.ts'

const short = fc.string({
  unit: fc.constantFrom('a', 'B', 'b', '<', '>', '\n', '\u0161'),
  maxLength: 4,
})
const word = short.filter((text) => text !== '')
const plain = fc.record({ before: word, after: fc.constant(undefined), anyCase: fc.boolean() })
const named = fc.record({ before: short, after: short, anyCase: fc.boolean() })
const marks = fc.array(fc.oneof(plain, named), { maxLength: 6 })

test('marks with names match as if each name had separate marks', { timeout: HOURS }, () => {
  fc.assert(
    fc.property(marks, fc.array(word, { maxLength: 5 }), short, short, (all, names, one, other) => {
      const table = new Marks()
      const expected = new Marks()
      all.forEach(({ before, after, anyCase }, number) => {
        const of = (name: string): string => before + (after === undefined ? '' : name + after)
        table.add([of(NAME)], anyCase, number)
        expected.add(after === undefined ? [before] : names.map(of), anyCase, number)
      })
      const found = table.for(namesOf(names.map((name) => ({ name }))))
      for (const middle of ['', ...names, ...names.map((name) => name.toUpperCase())]) {
        const text = one + middle + other
        for (let at = 0; at < text.length; at++) {
          for (let end = at + 1; end <= text.length; end++) {
            expect(found.match(text, at, end) === 'all').toBe(
              expected.match(text, at, end) === 'all',
            )
            const here = { buffer: text, cursor: at, end, ended: true }
            expect(found.lengthAt(here)).toBe(expected.lengthAt(here))
            expect(found.numbersAt(here)).toEqual(expected.numbersAt(here))
          }
          // If a mark was found in the whole text, no prefix may rule it out.
          const match = found.match(text, at, text.length)
          for (let end = at + 1; end < text.length && match === 'all'; end++)
            expect(found.match(text, at, end)).not.toBe('none')
        }
      }
    }),
    runs(150),
  )
})

test('the placeholder for a name never matches', () => {
  const marks = new Marks([`<${NAME}>`])
  for (const each of [marks, marks.for(namesOf([])), marks.for(namesOf([{ name: 'ping' }]))]) {
    expect(each.match(`<${NAME}>`, 0, 3)).toBe('none')
  }
})

test('caches the marks for a list of names', () => {
  expect(namesOf([{ name: 'a' }, { name: 'b' }])).toBe(namesOf([{ name: 'a' }, { name: 'b' }]))
  expect(namesOf([{ name: 'a' }])).not.toBe(namesOf([{ name: 'b' }]))
})
