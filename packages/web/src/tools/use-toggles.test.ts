import { expect, test } from 'vitest'
import { type Wish, withoutWish } from './use-toggles.ts'

test('the end of the first of two changes leaves the wish of the second', () => {
  const [first, second]: [Wish, Wish] = [{ isOn: false }, { isOn: false }]
  const wishes = new Map([
    ['Bash', second],
    ['Read', first],
  ])
  expect([...withoutWish(wishes, first)]).toEqual([['Bash', second]])
})
