import { json, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Family, Prompt, Protocol } from '../protocol.ts'
import { qwen3Coder } from './qwen3-coder.ts'

/** Its template is unknown: the prompt is our own. */
export const kExaone: Protocol<'k-exaone'> = {
  ...qwen3Coder,
  id: 'k-exaone',
  dialect: 'qwen3-coder',
  variants: [
    ...qwen3Coder.variants!,
    wire`<tool_call>\n${json({ id: 'id', name: 'function.name', args: 'function.arguments', encoded: true })}\n</tool_call>`,
  ],
  ignore: ['</tool_call>', '<|endofturn|>'],
}

export const family: Family = {
  about: 'K-EXAONE: like Qwen3-Coder',
  models: [/k-exaone/i],
}

export const prompt: Prompt = jsonLines
