import { calls, json, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const envelope = wire`${json({ name: 'name', args: ['parameters', 'arguments'], encoded: true })}`

/** The format that servers force on a model if it must call a tool. It has no template. */
export const jsonPlain: Protocol<'json'> = {
  id: 'json',
  section: wire`[${calls({ separator: ', ' })}]`,
  call: envelope,
  variants: [envelope],
  result: wire`<tool_response>${output}</tool_response>`,
}

export const family: Family = {
  about: 'Any model made to write JSON: the reply is a list of calls',
}

export const prompt: Prompt = jsonLines

export const examples: Examples = {
  'one call': { wire: '[{"name": "ping", "parameters": {}}]', calls: [['ping', {}]] },
  'an object': {
    wire: '{"name": "get_weather", "parameters": {"city": "Paris"}}',
    calls: [['get_weather', { city: 'Paris' }]],
    variant: true,
  },
}
