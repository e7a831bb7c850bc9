import { output, wire } from '../draw.ts'
import { spaced } from '../print/spaced.ts'
import { openAiTool } from '../prompt/tools.ts'
import type { Family, Prompt, Protocol } from '../protocol.ts'
import { lfm2 } from './lfm2.ts'

/** Differs: the template of the smaller models drops calls from the history. */
export const lfm25: Protocol<'lfm2.5'> = {
  ...lfm2,
  id: 'lfm2.5',
  dialect: 'lfm2',
  result: wire`${output}`,
}

export const family: Family = {
  about: 'LFM2.5: like LFM2',
  models: [/lfm-?2[.p]5/i],
  template: 'List of tools: [',
}

export const prompt: Prompt = ({ tools }) => `List of tools: ${spaced(tools.map(openAiTool))}`
