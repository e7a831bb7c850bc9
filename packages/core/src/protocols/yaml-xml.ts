import { output, toolElement, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

export const yamlXml: Protocol<'yaml-xml'> = {
  id: 'yaml-xml',
  call: wire`${toolElement({ body: 'yaml' })}`,
  result: wire`<tool_response>\n${output}\n</tool_response>`,
}

export const family: Family = {
  about: 'Any prompted model: YAML in a tag named after the tool',
}

export const prompt: Prompt = (context) => `${jsonLines(context)}

The arguments are YAML. Text on several lines goes below "key: |", indented further.`

export const examples: Examples = {
  'one call': {
    wire: '<get_weather>\ncity: Paris\ndays: 2\n</get_weather>',
    calls: [['get_weather', { city: 'Paris', days: 2 }]],
  },
  'a block': {
    wire: '<write_file>\npath: a.txt\ncontent: |-\n  one\n    two\n</write_file>',
    calls: [['write_file', { path: 'a.txt', content: 'one\n  two' }]],
    variant: true,
  },
}
