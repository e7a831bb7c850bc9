// Folder: Lists of tools in prompts.
import { spaced } from '../print/spaced.ts'
import type { ToolDefinition } from '../protocol.ts'

/** A tool's name, description and parameters only, in that order. */
export function bare({ name, description, parameters }: ToolDefinition): ToolDefinition {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
  }
}

/** A tool in the format of OpenAI's API. */
export function openAiTool(tool: ToolDefinition): { type: 'function'; function: ToolDefinition } {
  return { type: 'function', function: bare(tool) }
}

/** Tools in the format of OpenAI's API, one per line, as printed in chat templates. */
export function openAiLines(tools: readonly ToolDefinition[]): string {
  return tools.map((tool) => spaced(openAiTool(tool))).join('\n')
}

/** Like `openAiLines`, without the wrapper object. */
export function bareLines(tools: readonly ToolDefinition[]): string {
  return tools.map((tool) => spaced(bare(tool))).join('\n')
}
