import { output, wire } from '../draw.ts'
import { functionTags, NESTED } from '../prompt/function-tags.ts'
import { openAiLines } from '../prompt/tools.ts'
import type { Family, Prompt, Protocol } from '../protocol.ts'
import { qwen3Coder } from './qwen3-coder.ts'

export const qwen35: Protocol<'qwen3.5'> = {
  ...qwen3Coder,
  id: 'qwen3.5',
  dialect: 'qwen3-coder',
  // Drawn separately instead of shared, so that protocols derived from this one are not attributed
  // to the original.
  result: wire`<tool_response>\n${output}\n</tool_response>`,
}

export const family: Family = {
  about: 'Qwen 3.5, Ornith: like Qwen3-Coder',
  models: [/(?:^|_)qwen-?3[.p][5-9]/i, /ornith(?!.*31b)/i],
}

export const prompt: Prompt = ({ tools }) => functionTags(openAiLines(tools), NESTED)
