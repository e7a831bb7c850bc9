import { expect, test } from 'vitest'
import { loginCode } from './login.ts'

test.each([
  ['http://127.0.0.1:4747/#login=m1.ab_C-d.x-Y_z', 'm1.ab_C-d.x-Y_z'],
  ['  http://127.0.0.1:4747/#login=m1.ab.cd\n', 'm1.ab.cd'],
  ['Open http://[::1]:4747/#login=m1.ab.cd in a browser', 'm1.ab.cd'],
  ['#login=m1.ab.cd&x=1', 'm1.ab.cd'],
  ['m1.ab.cd', 'm1.ab.cd'],
  ['http://127.0.0.1:4747/', undefined],
  ['two words', undefined],
  ['', undefined],
])('finds the code in %j', (pasted, expected) => {
  expect(loginCode(pasted)).toBe(expected)
})
