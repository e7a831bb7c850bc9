import { name } from '../holes/labels.ts'
import { lineStart } from '../holes/line-start.ts'
import { output, outputJson } from '../holes/output.ts'
import { yaml } from '../holes/yaml.ts'
import { signature } from '../prompt/signature.ts'
import type { Protocol } from '../protocol.ts'
import { wire } from '../wire.ts'

export const toolYaml: Protocol = {
  id: 'tool-yaml',
  about: 'Any chat model, told how by the prompt: TOOL and ARGS as YAML',
  call: wire`${lineStart}TOOL: ${name}\nARGS:\n${yaml}\n`,
  result: wire`${lineStart}TOOL_RESULT: ${outputJson}`,
  error: wire`${lineStart}TOOL_ERROR: ${output}`,

  prompt: ({ tools, example }) => `You can use these tools:
${tools.map((tool) => `- ${signature(tool)}`).join('\n')}

To use one, write on lines of their own:

${example}
Text on several lines goes below "key: |", indented further. End your reply there; you will be told the outcome as
TOOL_RESULT. When you know the answer, write it without these lines.`,

  examples: {
    'one call': {
      wire: 'TOOL: read_file\nARGS:\n  path: package.json\n',
      calls: [['read_file', { path: 'package.json' }]],
    },
    'a block of text, a list, text around': {
      wire: 'Writing.\nTOOL: write_file\nARGS:\n  path: a.md\n  content: |\n    # Title\n\n    - one: 1\n  tags: [1, true]\nDone.',
      text: 'Writing.\nDone.',
      calls: [['write_file', { path: 'a.md', content: '# Title\n\n- one: 1\n', tags: [1, true] }]],
      variant: true,
    },
    'only at the start of a line': { wire: 'The TOOL: x\nARGS:\n  a: 1', text: 'The TOOL: x\nARGS:\n  a: 1' },
    'no arguments': { wire: 'TOOL: ping\nARGS:\n\n', calls: [['ping', {}]] },
  },
}
