import { expect, test } from 'vitest'
import picocolors from 'picocolors'
import { showArguments } from './arguments.ts'

const plain = picocolors.createColors(false)

test('prints one key per line, and short lists on one line', () => {
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

test('does not change strings that look like JSON', () => {
  const args = { code: 'a = [\n  1,\n  2\n]', 'key": [': '"]"' }
  expect(JSON.parse(showArguments(args, plain).join('\n'))).toEqual(args)
})

test('colors the keys', () => {
  const colors = picocolors.createColors(true)
  expect(showArguments({ days: 3 }, colors)[1]).toBe(
    `  ${colors.cyan('"days"')}: ${colors.yellow('3')}`,
  )
})
