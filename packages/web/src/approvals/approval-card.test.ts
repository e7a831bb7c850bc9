import type { DecisionPart } from '@toolglot/permissions'
import { expect, test } from 'vitest'
import { argumentsText } from './command-of.ts'
import { isCut, type ShownCall, timeLeft } from './approval-card.tsx'

const part: DecisionPart = { what: 'x', verdict: 'ask', why: '' }
const call: ShownCall = { args: { a: 1 }, parts: [part], command: undefined, diff: undefined }
const diffOf = (count: number): ShownCall['diff'] => ({
  path: 'a',
  isNew: false,
  added: count,
  removed: 0,
  lines: Array.from({ length: count }, () => ({ type: 'add', text: 'x' })),
})

test('a call that fits is not cut', () => {
  expect(isCut(call)).toBe(false)
  const text = 'x'.repeat(5000)
  const args = { command: text }
  expect(isCut({ ...call, args, command: { name: 'command', text } })).toBe(false)
  expect(isCut({ ...call, diff: diffOf(200) })).toBe(false)
})

test('a long command, long arguments, a long change and many parts are cut', () => {
  const text = 'x'.repeat(30_000)
  expect(isCut({ ...call, args: { text } })).toBe(true)
  expect(isCut({ ...call, command: { name: 'command', text } })).toBe(true)
  expect(isCut({ ...call, diff: diffOf(201) })).toBe(true)
  const parts = Array.from({ length: 41 }, (_, at) => ({ ...part, what: `x ${at}` }))
  expect(isCut({ ...call, parts })).toBe(true)
})

test('many file names in a part are cut', () => {
  const command = { name: 'command', text: 'rm *.log' }
  const about = (what: string): ShownCall => ({
    ...call,
    args: {},
    command,
    parts: [{ ...part, what }],
  })
  expect(isCut(about('rm a.log b.log'))).toBe(false)
  expect(isCut(about(`rm ${'file.log '.repeat(3000)}`))).toBe(true)
  expect(isCut({ ...about('rm'), command: { name: 'command', text: 'rm' } })).toBe(false)
})

test('a displayed change replaces long arguments', () => {
  expect(isCut({ ...call, args: { text: 'x'.repeat(30_000) }, diff: diffOf(3) })).toBe(false)
})

test('the arguments besides the command count', () => {
  expect(argumentsText({}, undefined)).toBe('')
  expect(argumentsText({ command: 'ls' }, { name: 'command', text: 'ls' })).toBe('')
  expect(argumentsText({ command: 'ls', cwd: '/' }, { name: 'command', text: 'ls' })).toBe(
    '{\n  "cwd": "/"\n}',
  )
  // The model used another name, so its arguments are not the ones that will be executed.
  expect(argumentsText({ command: 'x' }, { name: 'command', text: 'ls' })).toContain('"x"')
})

test.each([
  [600_000, 'minute', 10, 60_000],
  [599_000, 'minute', 10, 59_000],
  [91_000, 'minute', 2, 31_000],
  [89_500, 'second', 90, 1000],
  [1, 'second', 1, 1000],
  [3 * 3_600_000, 'hour', 3, 3_600_000],
  [2 * 86_400_000, 'day', 2, 86_400_000],
] as const)('%d ms', (milliseconds, unit, value, changesIn) => {
  expect(timeLeft(milliseconds)).toEqual({ unit, value, changesIn })
})

test('returns undefined once the time has passed', () => {
  expect(timeLeft(0)).toBeUndefined()
  expect(timeLeft(-5)).toBeUndefined()
})

test('changes at most once per second', () => {
  for (let left = 1; left < 200_000; left += 37) {
    expect(timeLeft(left)!.changesIn).toBeGreaterThanOrEqual(1000)
  }
})
