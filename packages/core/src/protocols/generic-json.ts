import { calls, json, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const envelope = json({ name: 'name', args: ['arguments', 'parameters'], id: 'id', encoded: true })

/** No model was trained on it, so the prompt must explain everything. */
export const genericJson: Protocol<'generic-json'> = {
  id: 'generic-json',
  call: wire`{"tool_call": ${envelope}}`,
  variants: [wire`{"tool_calls": [${calls({ of: wire`${envelope}`, separator: ', ' })}]}`],
  result: wire`<tool_response>${output}</tool_response>`,
}

export const family: Family = { about: 'Any model prompted to answer in JSON' }

export const prompt: Prompt = (context) => `${jsonLines(context)}

Write nothing else. To call several at once, put them in a list: {"tool_calls": [{"name": "…", "arguments": {…}}, …]}`

export const examples: Examples = {
  'one call': { wire: '{"tool_call": {"name": "ping", "arguments": {}}}', calls: [['ping', {}]] },
  'a list of calls': {
    wire: '{"tool_calls": [{"name": "get_weather", "arguments": {"city": "Paris"}, "id": "1"}]}',
    calls: [['get_weather', { city: 'Paris' }]],
    variant: true,
  },
}
