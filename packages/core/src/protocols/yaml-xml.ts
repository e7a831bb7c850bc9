import { output, toolElement, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const yamlXml: Protocol = {
  id: 'yaml-xml',
  about: 'Any chat model, told how by the prompt: YAML in a tag named after the tool',
  call: wire`${toolElement({ body: 'yaml' })}`,
  result: wire`<tool_response>\n${output}\n</tool_response>`,
  prompt: jsonLines,
  examples: {
    'one call': {
      wire: '<get_weather>\ncity: Paris\ndays: 2\n</get_weather>',
      calls: [['get_weather', { city: 'Paris', days: 2 }]],
    },
  },
}
