import { keywords, name, output, outputJson, wire } from '../draw.ts'
import { signature } from '../prompt/signature.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

export const toolFunction: Protocol<'tool-function'> = {
  id: 'tool-function',
  call: wire`${name}(${keywords}`,
  result: wire`TOOL_RESULT: ${outputJson}`,
  error: wire`TOOL_ERROR: ${output}`,
}

export const family: Family = {
  about: 'Any prompted model: the reply is a Python call',
}

export const prompt: Prompt = ({ tools, example }) => `You can use these tools:
${tools.map((tool) => `- ${signature(tool)}`).join('\n')}

To use one, reply with the call alone, arguments by name, as in Python:

${example}

You will be told the outcome as TOOL_RESULT. When you know the answer, write it as plain text.`

export const examples: Examples = {
  'one call': {
    wire: 'read_file(path="package.json")',
    calls: [['read_file', { path: 'package.json' }]],
  },
  'another function': { wire: 'sorted(key=1)', text: 'sorted(key=1)' },
}
