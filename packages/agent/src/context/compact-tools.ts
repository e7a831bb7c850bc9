import type { ToolDefinition } from '@toolglot/core'
import { compactSchema, type CompactLevel } from './compact-schema.ts'
import { firstSentence, shortText } from './short-text.ts'

/**
 * Smaller definitions of the same tools, for a model with a small context: level 1 shortens what is long, level 2 keeps only
 * what a call needs. A turn that is given them reads calls with the whole definitions.
 */
export function compactTools(
  tools: readonly ToolDefinition[],
  level: CompactLevel,
): readonly ToolDefinition[] {
  if (level === 0) return tools
  return tools.map((tool) => {
    const { name, description, parameters } = tool
    const short: ToolDefinition = {
      name,
      ...(description !== undefined && { description: shortDescription(description, level) }),
      ...(parameters && { parameters: compactSchema(parameters, level) }),
    }
    wholes.set(short, wholes.get(tool) ?? tool)
    return short
  })
}

/** The whole definitions of tools, some of which may be compact. */
export function wholeTools(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  if (!tools.some((tool) => wholes.has(tool))) return tools
  let known = lists.get(tools)
  if (!known) lists.set(tools, (known = tools.map((tool) => wholes.get(tool) ?? tool)))
  return known
}

const wholes = new WeakMap<ToolDefinition, ToolDefinition>()
const lists = new WeakMap<readonly ToolDefinition[], readonly ToolDefinition[]>()

function shortDescription(text: string, level: CompactLevel): string {
  return level === 1 ? shortText(text, 400) : firstSentence(text, 120)
}
