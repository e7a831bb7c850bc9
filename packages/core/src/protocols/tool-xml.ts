import { each } from '../holes/each.ts'
import { key, name } from '../holes/labels.ts'
import { output } from '../holes/output.ts'
import { value } from '../holes/value.ts'
import { signature } from '../prompt/signature.ts'
import type { Protocol } from '../protocol.ts'
import { wire } from '../wire.ts'

const argument = [
  wire`<arg name="${key}">${value()}</arg>`,
  wire`<arg name="${key}"><![CDATA[${value({ anything: true })}]]></arg>`,
]

export const toolXml: Protocol = {
  id: 'tool-xml',
  about: 'Any chat model, told how by the prompt: a tag per argument, so that code needs no escapes',
  call: wire`<tool name="${name}">\n  ${each(argument, { separator: '\n  ' })}\n</tool>`,
  result: wire`<tool_result name="${name}">\n${output}\n</tool_result>`,
  error: wire`<tool_error>\n${output}\n</tool_error>`,

  prompt: ({ tools, example }) => `You can use these tools:
${tools.map((tool) => `- ${signature(tool)}`).join('\n')}

To use one, write:

${example}

Nothing in a value is escaped. If it holds "</arg>" itself, put it into <![CDATA[…]]>. You will be told the outcome in
<tool_result>. When you know the answer, write it without these tags.`,

  examples: {
    'one call': {
      wire: '<tool name="read_file">\n  <arg name="path">package.json</arg>\n</tool>',
      calls: [['read_file', { path: 'package.json' }]],
    },
    'code as it is, on one line': {
      wire: '<tool name="write_file"><arg name="path">a.ts</arg><arg name="content">  if (a < b && c) {\n\n  }\n</arg></tool>',
      calls: [['write_file', { path: 'a.ts', content: '  if (a < b && c) {\n\n  }\n' }]],
      variant: true,
    },
    'a value with its own closing tag': {
      wire: '<tool name="write_file">\n  <arg name="path">a</arg>\n  <arg name="content"><![CDATA[<arg></arg>]]></arg>\n</tool>',
      calls: [['write_file', { path: 'a', content: '<arg></arg>' }]],
    },
    'an argument that is not closed': {
      wire: '<tool name="write_file">\n<arg name="path">a\n<arg name="content">b</arg>\n</tool>',
      calls: [['write_file', { path: 'a\n', content: 'b' }]],
      repairs: ['missing-closer'],
      variant: true,
    },
    'typed by the schema': {
      wire: '<tool name="get_weather">\n  <arg name="city">12</arg>\n  <arg name="days">2</arg>\n</tool>',
      calls: [['get_weather', { city: '12', days: 2 }]],
    },
  },
}
