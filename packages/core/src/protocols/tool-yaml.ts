import { lineStart, name, output, outputJson, wire, yaml } from '../draw.ts'
import { signature } from '../prompt/signature.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

export const toolYaml: Protocol<'tool-yaml'> = {
  id: 'tool-yaml',
  call: wire`${lineStart}TOOL: ${name}\nARGS:\n${yaml}\n`,
  result: wire`${lineStart}TOOL_RESULT: ${outputJson}`,
  error: wire`${lineStart}TOOL_ERROR: ${output}`,
}

export const family: Family = {
  about: 'Any prompted model: TOOL and ARGS as YAML',
}

export const prompt: Prompt = ({ tools, example }) => `You can use these tools:
${tools.map((tool) => `- ${signature(tool)}`).join('\n')}

To use one, write on lines of their own:

${example}
Text on several lines goes below "key: |", indented further. End your reply there.
You will be told the outcome as TOOL_RESULT. When you know the answer, write it as plain text.`

export const examples: Examples = {
  'one call': {
    wire: 'TOOL: read_file\nARGS:\n  path: package.json\n',
    calls: [['read_file', { path: 'package.json' }]],
  },
  'no arguments': { wire: 'TOOL: ping\nARGS:\n\n', calls: [['ping', {}]] },
}
