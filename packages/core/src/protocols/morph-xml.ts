import { lineStart, output, toolElement, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

export const morphXml: Protocol<'morph-xml'> = {
  id: 'morph-xml',
  call: wire`${toolElement({ body: 'elements' })}`,
  variants: [wire`${lineStart}${toolElement({ body: 'bare' })}`],
  result: wire`<tool_response>\n${output}\n</tool_response>`,
}

export const family: Family = {
  about: 'Any prompted model: tags named after the tool and its arguments',
}

export const prompt: Prompt = (context) => `${jsonLines(context)}

Lists are <item> tags, objects tags in the tag. Write &lt; for < and &amp; for & in values.`

export const examples: Examples = {
  'one call': {
    wire: '<get_weather>\n<city>Paris</city>\n<days>2</days>\n</get_weather>',
    calls: [['get_weather', { city: 'Paris', days: 2 }]],
  },
  'tags in a value': {
    wire: 'So:\n<write_file>\n<path>a.html</path>\n<content>&lt;p>a &amp;amp; b&lt;/p></content>\n</write_file>',
    text: 'So:\n',
    calls: [['write_file', { path: 'a.html', content: '<p>a &amp; b</p>' }]],
  },
  'the outer tag is missing': {
    wire: 'get_weather\n<city>Paris</city>\nDone.',
    text: '\nDone.',
    calls: [['get_weather', { city: 'Paris' }]],
    variant: true,
  },
  'no argument': {
    wire: '<ping />',
    calls: [['ping', {}]],
    variant: true,
  },
}
