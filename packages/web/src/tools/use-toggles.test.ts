import { expect, test } from 'vitest'
import { type PendingToggle, withoutToggle } from './use-toggles.ts'

test('the end of the first of two changes leaves the toggle of the second', () => {
  const [first, second]: [PendingToggle, PendingToggle] = [{ isOn: false }, { isOn: false }]
  const pending = new Map([
    ['Bash', second],
    ['Read', first],
  ])
  expect([...withoutToggle(pending, first)]).toEqual([['Bash', second]])
})
