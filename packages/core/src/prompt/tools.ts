import { spaced } from '../print/spaced.ts'
import type { Tool } from '../protocol.ts'

/** A tool as OpenAI's API describes it, on one line, as chat templates print it. */
export function openAiTool(tool: Tool): string {
  return spaced({ type: 'function', function: bare(tool) })
}

/** A tool's name, description and parameters, in that order, and nothing else. */
export function bare({ name, description, parameters }: Tool): Tool {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
  }
}
