import { calls, json, output, outputJson, text, wire } from '../draw.ts'
import { parametersOf } from '../prompt/signature.ts'
import type { Examples, Family, Prompt, Protocol, ToolDefinition } from '../protocol.ts'

const envelope = json({ name: 'tool', args: 'args', reasoning: 'reasoning' })

export const ptk: Protocol<'ptk'> = {
  id: 'ptk',
  call: wire`<PTK_CALL>\n${envelope}\n</PTK_CALL>`,
  variants: [
    wire`<PTK_BATCH>\n[${calls({ of: wire`${envelope}`, separator: ', ' })}]\n</PTK_BATCH>`,
    wire`<TOOL_CALL>\n${envelope}\n</TOOL_CALL>`,
  ],
  anyCase: true,
  reasoning: wire`<think>\n${text}\n</think>`,
  result: wire`PTK_RESULT: ${outputJson}`,
  error: wire`PTK_ERROR: ${output}`,
}

export const family: Family = {
  about: 'Any prompted model: JSON between <PTK_CALL> tags, in any case',
}

export const prompt: Prompt = ({ tools, example }) => `You can use these tools:

${tools.map(describeTool).join('\n\n')}

To use a tool, write exactly this, and nothing after it:

${example}

The JSON must be valid. "reasoning" may say why you need the tool.
Several calls at once go into one list: <PTK_BATCH>[{"tool": …, "args": …}, …]</PTK_BATCH>
You will be told the outcome as PTK_RESULT: … or PTK_ERROR: …. When you know the answer, write it as plain text.`

/** A tool as listed in the prompt. */
export function describeTool(tool: ToolDefinition): string {
  const parameters = parametersOf(tool).map(
    ({ name, type, required, description }) =>
      `    - ${name}: ${type} (${required ? 'required' : 'optional'})${description ? ` - ${description}` : ''}`,
  )
  return [
    `• ${tool.name}: ${tool.description ?? ''}`.trimEnd(),
    ...(parameters.length > 0 ? ['  Parameters:', ...parameters] : []),
  ].join('\n')
}

export const examples: Examples = {
  'text, then a call': {
    wire: 'I\'ll read the package.json file.\n<PTK_CALL>\n{"tool": "read_file", "args": {"path": "package.json"}}\n</PTK_CALL>',
    text: "I'll read the package.json file.\n",
    calls: [['read_file', { path: 'package.json' }]],
  },
  'a batch': {
    wire: '<PTK_BATCH>[{"tool": "ping", "args": {}}, {"tool": "read_file", "args": {"path": "a"}}]</PTK_BATCH>',
    calls: [
      ['ping', {}],
      ['read_file', { path: 'a' }],
    ],
    variant: true,
  },
}
