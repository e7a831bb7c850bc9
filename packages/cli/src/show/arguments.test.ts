import { expect, test } from 'vitest'
import picocolors from 'picocolors'
import { showArguments } from './arguments.ts'

const plain = picocolors.createColors(false)

test('one key a line, short lists on one', () => {
  const args = { city: 'Hanoi', units: ['c', 'f'], nested: { list: [{ a: 1 }] }, none: {} }
  expect(showArguments(args, plain).join('\n')).toBe(`{
  "city": "Hanoi",
  "units": ["c", "f"],
  "nested": {
    "list": [
      {
        "a": 1
      }
    ]
  },
  "none": {}
}`)
})

test('strings that look like JSON stay as they are', () => {
  const args = { code: 'a = [\n  1,\n  2\n]', 'key": [': '"]"' }
  expect(JSON.parse(showArguments(args, plain).join('\n'))).toEqual(args)
})

test('the keys stand out', () => {
  const colors = picocolors.createColors(true)
  expect(showArguments({ days: 3 }, colors)[1]).toBe(
    `  ${colors.cyan('"days"')}: ${colors.yellow('3')}`,
  )
})
