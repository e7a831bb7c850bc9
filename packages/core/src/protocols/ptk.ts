import { calls } from '../holes/calls.ts'
import { json } from '../holes/json.ts'
import { output, outputJson } from '../holes/output.ts'
import { text } from '../holes/text.ts'
import { parametersOf } from '../prompt/signature.ts'
import type { Protocol, Tool } from '../protocol.ts'
import { wire } from '../wire.ts'

const envelope = json({ name: 'tool', args: 'args', reasoning: 'reasoning' })

export const ptk: Protocol = {
  id: 'ptk',
  about: 'Any chat model, told how by the prompt: JSON between <PTK_CALL> tags, in any case',
  call: wire`<PTK_CALL>\n${envelope}\n</PTK_CALL>`,
  variants: [
    wire`<PTK_BATCH>\n[${calls({ of: wire`${envelope}`, separator: ', ' })}]\n</PTK_BATCH>`,
    wire`<TOOL_CALL>\n${envelope}\n</TOOL_CALL>`,
  ],
  anyCase: true,
  reasoning: wire`<think>\n${text}\n</think>`,
  result: wire`PTK_RESULT: ${outputJson}`,
  error: wire`PTK_ERROR: ${output}`,

  prompt: ({ tools, example }) => `You can use these tools:

${tools.map(describe).join('\n\n')}

To use a tool, write exactly this, and nothing after it:

${example}

"tool" is the tool's name, "args" holds its arguments, "reasoning" may say why you need it. The JSON must be valid.
Several calls at once go into one list: <PTK_BATCH>[{"tool": …, "args": …}, …]</PTK_BATCH>
You will be told the outcome as PTK_RESULT: … or PTK_ERROR: …. Then use another tool, or answer without any tags.`,

  examples: {
    'text, then a call': {
      wire: "I'll read the package.json file.\n<PTK_CALL>\n{\"tool\": \"read_file\", \"args\": {\"path\": \"package.json\"}}\n</PTK_CALL>",
      text: "I'll read the package.json file.\n",
      calls: [['read_file', { path: 'package.json' }]],
    },
    'another case': {
      wire: '<ptk_call>{"tool":"ping","args":{}}</PTK_Call>',
      calls: [['ping', {}]],
      variant: true,
    },
    'the old tag': {
      wire: '<TOOL_CALL>{"tool": "ping", "args": {}, "reasoning": "to see"}</TOOL_CALL>',
      calls: [['ping', {}]],
      variant: true,
    },
    'a batch': {
      wire: '<PTK_BATCH>[{"tool": "ping", "args": {}}, {"tool": "read_file", "args": {"path": "a"}}]</PTK_BATCH>',
      calls: [
        ['ping', {}],
        ['read_file', { path: 'a' }],
      ],
      variant: true,
    },
    'quotes, slashes and apostrophes in strings stay': {
      wire: `<PTK_CALL>{'tool': "write_file", "args": {"path": "a.js", "content": "// it's https://x.y/z, /* ok */",},}</PTK_CALL>`,
      calls: [['write_file', { path: 'a.js', content: "// it's https://x.y/z, /* ok */" }]],
      repairs: ['single-quotes', 'trailing-comma'],
      variant: true,
    },
  },
}

function describe(tool: Tool): string {
  const parameters = parametersOf(tool).map(
    ({ name, type, required, description }) =>
      `    - ${name}: ${type} (${required ? 'required' : 'optional'})${description ? ` - ${description}` : ''}`,
  )
  return [
    `• ${tool.name}: ${tool.description ?? ''}`.trimEnd(),
    ...(parameters.length > 0 ? ['  Parameters:', ...parameters] : []),
  ].join('\n')
}
