import { args, name, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const functionaryV32: Protocol = {
  id: 'functionary-v3.2',
  about: 'Functionary 3.2: the recipient, then JSON',
  call: wire`>>>${name}\n${args}`,
  ignore: ['>>>all\n'],
  result: wire`<tool_response>${output}</tool_response>`,
  prompt: jsonLines,
  models: [/functionary.*3\.2/i],
  examples: { 'one call': { wire: '>>>ping\n{}', calls: [['ping', {}]] } },
}
