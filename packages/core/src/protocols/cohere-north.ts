import { index, outputJson, wire } from '../draw.ts'
import { fencedTools } from '../prompt/cohere.ts'
import type { Protocol } from '../protocol.ts'
import { cohere } from './cohere.ts'

export const cohereNorth: Protocol = {
  ...cohere,
  id: 'cohere-north',
  dialect: true,
  about: 'North Mini: as Command A',
  result: wire`{
        "tool_call_id": "${index()}",
        "results": {
            "0": {"content": ${outputJson}}
        },
        "is_error": null
    }`,
  prompt: ({ tools }) => `# Available Tools\n${fencedTools(tools)}`,
  models: [/north-?mini/i],
}
