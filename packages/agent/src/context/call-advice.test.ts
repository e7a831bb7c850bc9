import { parse, protocols } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import type { CallResult } from './message.ts'
import { callAdvice } from './call-advice.ts'

const refused = (args: Record<string, unknown>): CallResult => ({
  call: { id: 'a', name: 'put', args },
  output: 'This call was not run.',
  otherProtocol: true,
})
const put = {
  name: 'put',
  parameters: { type: 'object', properties: { value: { type: 'string' } } },
} as const

const isBare = new Set(['json', 'llama3-json', 'pythonic', 'tool-function', 'xlam'])

describe('the advice shows the same call in the protocol', () => {
  test.each(Object.values(protocols).map((protocol) => [protocol.id, protocol] as const))(
    '%s',
    (id, protocol) => {
      const [advice] = callAdvice([refused({ value: 'x' })], protocol)
      const [first, example] = advice!.split(':\n\n', 2)
      const what = isBare.has(id) ? 'only the call, with nothing before or after it,' : 'it'
      expect(first).toBe(`To call put, write ${what} in the ${id} format, like this`)
      const printed = advice!.slice(first!.length + 3)
      expect(example).not.toBe('')
      const { calls } = parse(printed, { protocols: protocol, tools: [put] })
      expect(calls).toMatchObject([{ name: 'put', args: { value: 'x' }, complete: true }])
    },
  )
})

test('a long argument is shortened, with a note', () => {
  const args = { value: 'x'.repeat(100_000), list: ['y'.repeat(600)], path: 'a.txt' }
  const [advice] = callAdvice([refused(args)], protocols.hermes)
  expect(advice!.length).toBeLessThan(1000)
  expect(advice).toContain('with the full arguments')
  expect(advice).toContain('"path": "a.txt"')
})

test('without a protocol, the advice is to use function calling', () => {
  expect(callAdvice([refused({})], undefined)).toEqual([
    'To call put, use function calling instead of text.',
  ])
})

test('other results get no advice', () => {
  const { otherProtocol: _, ...plain } = refused({})
  expect(callAdvice([plain], protocols.hermes)).toEqual([])
})
