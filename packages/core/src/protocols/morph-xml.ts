import { output, toolElement, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const morphXml: Protocol = {
  id: 'morph-xml',
  about: 'Any chat model, told how by the prompt: tags named after the tool and its arguments',
  call: wire`${toolElement({ body: 'elements' })}`,
  result: wire`<tool_response>\n${output}\n</tool_response>`,
  prompt: jsonLines,
  examples: {
    'one call': {
      wire: '<get_weather>\n<city>Paris</city>\n<days>2</days>\n</get_weather>',
      calls: [['get_weather', { city: 'Paris', days: 2 }]],
    },
  },
}
