import { output, wire } from '../draw.ts'
import { functionTags, NESTED } from '../prompt/function-tags.ts'
import { xmlTree } from '../prompt/xml-tree.ts'
import type { Family, Prompt, Protocol } from '../protocol.ts'
import { qwen3Coder } from './qwen3-coder.ts'

export const nemotron3: Protocol<'nemotron-3'> = {
  ...qwen3Coder,
  id: 'nemotron-3',
  dialect: 'qwen3-coder',
  // Drawn separately instead of shared, so that protocols derived from this one are not attributed
  // to the original.
  result: wire`<tool_response>\n${output}\n</tool_response>`,
}

export const family: Family = {
  about: 'Nemotron 3: like Qwen3-Coder',
  models: [/nemotron-?3(?:-[nsu]|[.p]5(?!-asr))/i],
}

export const prompt: Prompt = ({ tools }) => functionTags(tools.map(xmlTree).join('\n'), NESTED)
