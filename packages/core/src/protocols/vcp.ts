import { fields, gap, key, name, output, ownId, status, text, value, wire } from '../draw.ts'
import { parametersOf } from '../prompt/signature.ts'
import type { Examples, Family, Prompt, Protocol, ToolDefinition } from '../protocol.ts'
import { spaced } from '../print/spaced.ts'

/** Replacements for the marks inside an ESCAPE field. */
const escaped = value({
  anything: true,
  escapes: [
    ['<<<[TOOL_REQUEST_ESCAPE]>>>', '<<<[TOOL_REQUEST]>>>'],
    ['<<<[END_TOOL_REQUEST_ESCAPE]>>>', '<<<[END_TOOL_REQUEST]>>>'],
  ],
})

const field = [
  wire`${key}${gap}:${gap}「始」${value({ bounded: true })}「末」`,
  wire`${key}${gap}:${gap}「始ESCAPE」${escaped}「末ESCAPE」`,
  wire`${key}${gap}:${gap}「始exp」${value()}「末exp」`,
]

const names = { name: 'tool_name', method: 'command', id: 'request_id' }

export const vcp: Protocol<'vcp'> = {
  id: 'vcp',
  call: wire`<<<[TOOL_REQUEST]>>>\n${fields(field, names, {
    separator: ',\n',
    avoid: ['<<<[TOOL_REQUEST]>>>', '<<<[END_TOOL_REQUEST]>>>'],
  })}\n<<<[END_TOOL_REQUEST]>>>`,
  reasoning: wire`<think>\n${text}\n</think>`,
  result: wire`<<<[TOOL_RESULT]>>>\ntool_name:「始」${name}「末」,\n${ownId('request_id:「始」', '「末」,\n')}status:「始」${status('success', 'error')}「末」,\nresult:「始」${output}「末」\n<<<[END_TOOL_RESULT]>>>`,
}

export const family: Family = { about: 'VCPToolBox and AIO Hub: every field in 「始」…「末」' }

export const prompt: Prompt = ({ tools, example }) => `${tools.map(define).join('\n\n')}

调用格式：
${example}
值写在「始」与「末」之间，可以跨行，无需转义。值中若含有「末」，请写成「始ESCAPE」…「末ESCAPE」。`

/** A tool's definition, with the exact form that the model must use. */
function define(tool: ToolDefinition): string {
  const parameters = parametersOf(tool).map(
    ({ name: parameter, type, required, description, schema }) => ({
      name: parameter,
      type,
      required,
      ...(description !== undefined && { description }),
      ...(schema['default'] !== undefined && { default: schema['default'] }),
    }),
  )
  const example = parameters.map(({ name: parameter }) => `${parameter}:「始」…「末」`)
  return `<<<[TOOL_DEFINITION]>>>
tool_name:「始」${tool.name}「末」
description:「始」${tool.description ?? ''}「末」
parameters:「始」${spaced(parameters)}「末」
example:「始」${[`tool_name:「始」${tool.name}「末」`, ...example].join(', ')}「末」
<<<[END_TOOL_DEFINITION]>>>`
}

export const examples: Examples = {
  'one call': {
    wire: '<<<[TOOL_REQUEST]>>>\ntool_name:「始」directory-tree_listFiles「末」,\npath:「始」src/tools「末」,\nrecursive:「始」false「末」\n<<<[END_TOOL_REQUEST]>>>',
    calls: [['directory-tree_listFiles', { path: 'src/tools', recursive: 'false' }]],
  },
  'an escaped field contains every mark': {
    wire: '<<<[TOOL_REQUEST]>>>\ntool_name:「始」write_file「末」,\npath:「始」a「末」,\ncontent:「始ESCAPE」「末」<<<[END_TOOL_REQUEST_ESCAPE]>>>「末ESCAPE」\n<<<[END_TOOL_REQUEST]>>>',
    calls: [['write_file', { path: 'a', content: '「末」<<<[END_TOOL_REQUEST]>>>' }]],
  },
}
