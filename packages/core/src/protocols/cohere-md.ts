import { calls, json, output, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const cohereMd: Protocol = {
  id: 'cohere-md',
  about: 'Command R and R+: a fenced JSON list behind "Action:"',
  section: wire`Action:\n\`\`\`json\n[\n    ${calls({ separator: ',\n    ' })}\n]\n\`\`\``,
  call: wire`${json({ name: 'tool_name', args: ['parameters', 'arguments'] })}`,
  result: wire`<results>\n${output}\n</results>`,
  prompt: jsonLines,
  models: [/command-?r(?:\+|-plus|-v01)/i],
  examples: {
    'one call': {
      wire: 'Action:\n```json\n[\n    {"tool_name": "ping", "parameters": {}}\n]\n```',
      calls: [['ping', {}]],
    },
  },
}
