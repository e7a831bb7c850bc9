import { describe, expect, test } from 'vitest'
import { formatterOf, type Values } from './words.ts'

const number = new Intl.NumberFormat('en')
const plurals = new Intl.PluralRules('en')
const format = (text: string, values?: Values): string =>
  formatterOf(text, {
    number: (value) => number.format(value),
    pluralOf: (value) => plurals.select(value),
  })(values)

test.each([
  ['Saved', undefined, 'Saved'],
  ['Open {folder}', { folder: '/a' }, 'Open /a'],
  ['{a} of {b}', { a: 1, b: 2000 }, '1 of 2,000'],
  ['{a} of {b}', { a: '1', b: '2000' }, '1 of 2000'],
  ['{count, plural, one {# call} other {# calls}}.', { count: 1 }, '1 call.'],
  ['{count, plural, one {# call} other {# calls}}.', { count: 1200 }, '1,200 calls.'],
  ['{count, plural, =0 {none} one {A call} other {# calls}}', { count: 0 }, 'none'],
  [
    '{count, plural, one {{tool} once} other {{tool} # times}}',
    { count: 2, tool: 'Read' },
    'Read 2 times',
  ],
  // A value decides nothing about how it is shown.
  ['#{run}', { run: '#' }, '##'],
])('%s', (text, values, expected) => {
  expect(format(text, values)).toBe(expected)
})

describe('values stay as they are', () => {
  test.each([
    String.raw`rm \u0041 \x41`,
    '{name}',
    '{count, plural, other {#}}',
    "it's",
    '<b>',
    '\u202e',
  ])('%j', (what) => {
    expect(format('Review: {what}', { what })).toBe(`Review: ${what}`)
  })
})
