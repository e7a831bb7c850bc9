import { keywords } from '../holes/keywords.ts'
import { name } from '../holes/labels.ts'
import { output, outputJson } from '../holes/output.ts'
import { signature } from '../prompt/signature.ts'
import type { Protocol } from '../protocol.ts'
import { wire } from '../wire.ts'

export const toolFunction: Protocol = {
  id: 'tool-function',
  about: 'Any chat model, told how by the prompt: the reply is a Python call',
  call: wire`${name}(${keywords}`,
  result: wire`TOOL_RESULT: ${outputJson}`,
  error: wire`TOOL_ERROR: ${output}`,

  prompt: ({ tools, example }) => `You can use these tools:
${tools.map((tool) => `- ${signature(tool)}`).join('\n')}

To use one, reply with the call alone, arguments by name, as in Python:

${example}

You will be told the outcome as TOOL_RESULT. When you know the answer, write it as plain text.`,

  examples: {
    'one call': {
      wire: 'read_file(path="package.json")',
      calls: [['read_file', { path: 'package.json' }]],
    },
    'two calls, values of every kind': {
      wire: "write_file(path='a)b', content=\"it's\\n\", tags=[1, -2.5, True, None, ('x', {'k': {}})])\nping()",
      calls: [
        ['write_file', { path: 'a)b', content: "it's\n", tags: [1, -2.5, true, null, ['x', { k: {} }]] }],
        ['ping', {}],
      ],
      variant: true,
    },
    'text that mentions a call': { wire: 'Use ping() to see.', text: 'Use ping() to see.' },
    'another function': { wire: 'sorted(key=1)', text: 'sorted(key=1)' },
  },
}
