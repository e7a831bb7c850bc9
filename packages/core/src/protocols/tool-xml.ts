import { each, key, name, output, value, wire } from '../draw.ts'
import { signature } from '../prompt/signature.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const argument = [
  wire`<arg name="${key}">${value()}</arg>`,
  wire`<arg name="${key}"><![CDATA[${value({ anything: true })}]]></arg>`,
]

export const toolXml: Protocol<'tool-xml'> = {
  id: 'tool-xml',
  call: wire`<tool name="${name}">\n  ${each(argument, { separator: '\n  ', avoid: ['<arg name="', '</tool>', '<![CDATA['] })}\n</tool>`,
  result: wire`<tool_result name="${name}">\n${output}\n</tool_result>`,
  error: wire`<tool_error>\n${output}\n</tool_error>`,
}

export const family: Family = {
  about: 'Any prompted model: a tag per argument, so that code needs no escapes',
}

export const prompt: Prompt = ({ tools, example }) => `You can use these tools:
${tools.map((tool) => `- ${signature(tool)}`).join('\n')}

To use one, write:

${example}

Nothing in a value is escaped. If it holds "</arg>" itself, put it into <![CDATA[…]]>. You will be told the outcome in
<tool_result>. When you know the answer, write it as plain text.`

export const examples: Examples = {
  'one call': {
    wire: '<tool name="read_file">\n  <arg name="path">package.json</arg>\n</tool>',
    calls: [['read_file', { path: 'package.json' }]],
  },
  'a value with its own closing tag': {
    wire: '<tool name="write_file">\n  <arg name="path">a</arg>\n  <arg name="content"><![CDATA[<arg></arg>]]></arg>\n</tool>',
    calls: [['write_file', { path: 'a', content: '<arg></arg>' }]],
  },
}
