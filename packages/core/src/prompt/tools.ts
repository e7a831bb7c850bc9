// Folder: Lists of tools in prompts.
import { spaced } from '../print/spaced.ts'
import type { ToolDefinition } from '../protocol.ts'

/** A tool's name, description and parameters, in that order, and nothing else. */
export function bare({ name, description, parameters }: ToolDefinition): ToolDefinition {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
  }
}

/** A tool as OpenAI's API describes it. */
export function openAiTool(tool: ToolDefinition): { type: 'function'; function: ToolDefinition } {
  return { type: 'function', function: bare(tool) }
}

/** Tools as OpenAI's API describes them, one per line, as chat templates print them. */
export function openAiLines(tools: readonly ToolDefinition[]): string {
  return tools.map((tool) => spaced(openAiTool(tool))).join('\n')
}

/** The same without the object around each. */
export function bareLines(tools: readonly ToolDefinition[]): string {
  return tools.map((tool) => spaced(bare(tool))).join('\n')
}
