import { output, results, wire } from '../draw.ts'
import { functionTags } from '../prompt/function-tags.ts'
import { openAiLines } from '../prompt/tools.ts'
import type { Family, Prompt, Protocol } from '../protocol.ts'
import { qwen3Coder } from './qwen3-coder.ts'

const rule =
  'an inner <function=...>\n...\n</function> block must be nested within <tool_call>\n...\n</tool_call> XML tags'

export const step35: Protocol<'step-3.5'> = {
  ...qwen3Coder,
  id: 'step-3.5',
  dialect: 'qwen3-coder',
  separator: '',
  result: wire`<tool_response>${output}</tool_response>`,
  results: wire`${results('')}`,
}

export const family: Family = {
  about: 'Step 3.5 and 3.7: like Qwen3-Coder, with fewer line breaks',
  models: [/step-?3[.p][57]/i],
}

export const prompt: Prompt = ({ tools }) =>
  functionTags(openAiLines(tools), {
    kind: 'function',
    list: ' in JSONSchema format',
    rule,
    more: false,
  })
