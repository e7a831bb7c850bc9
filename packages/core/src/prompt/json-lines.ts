import type { PromptContext } from '../protocol.ts'
import { openAiLines } from './tools.ts'

/** A prompt for any protocol: the tools as JSON, one per line, and an example of a call. */
export function jsonLines({ tools, example }: PromptContext): string {
  return `# Tools

You may call these functions:
${openAiLines(tools)}

To call one, write:
${example}`
}
