import { calls, json, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const jsonPlain: Protocol = {
  id: 'json',
  about: 'Any model made to write JSON: the reply is a list of calls',
  section: wire`[${calls({ separator: ', ' })}]`,
  call: wire`${json({ name: 'name', args: ['parameters', 'arguments'], encoded: true })}`,
  variants: [wire`${json({ name: 'name', args: ['parameters', 'arguments'], encoded: true })}`],
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [],
  examples: { 'one call': { wire: '[{"name": "ping", "parameters": {}}]', calls: [['ping', {}]] } },
}
