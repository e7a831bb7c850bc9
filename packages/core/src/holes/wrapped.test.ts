import { expect, test } from 'vitest'
import { parse, protocols } from '../index.ts'

const tools = [
  {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
    },
  },
]

/** Reads a call with these arguments in a protocol that writes each in its own tag. */
function read(...given: (readonly [key: string, value: string])[]) {
  const tags = given.map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
  const text = `<tool_call>\n<function=get_weather>\n${tags.join('')}</function>\n</tool_call>`
  const [call] = parse(text, { protocols: protocols['qwen3-coder'], tools }).calls
  return [call?.args, call?.repairs]
}

const ALL = '{"city": "Paris", "days": "2"}'

test('unwraps a single argument that contains all arguments', () => {
  expect(read(['arguments', ALL])).toEqual([
    { city: 'Paris', days: 2 },
    ['wrapped-arguments', 'coerced'],
  ])
})

test('an argument with other keys is unchanged', () => {
  expect(read(['input', '{"town": "Paris"}'])).toEqual([{ input: { town: 'Paris' } }, []])
})

test('beside another argument it is an ordinary one', () => {
  const city = ['city', 'Paris'] as const
  expect(read(['input', ALL], city)[0]).toEqual({ input: JSON.parse(ALL), city: 'Paris' })
  expect(read(['input', 'x'], ['args', 'y'])[0]).toEqual({ input: 'x', args: 'y' })
})
