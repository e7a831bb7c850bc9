import type { ToolDefinition } from '@toolglot/core'
import { compactSchema, type CompactLevel } from './compact-schema.ts'
import { shortSignature } from './short-signature.ts'
import { firstSentence, shortText } from './short-text.ts'

/**
 * Smaller definitions of the same tools, for a model with a small context: level 1 shortens what is long, level 2 keeps only
 * what a call needs, level 3 has a short signature in the description and no schema: only for tools that are described in
 * the text of a prompt. A turn that is given them reads calls with the whole definitions.
 */
export function compactTools(
  tools: readonly ToolDefinition[],
  level: CompactLevel,
): readonly ToolDefinition[] {
  if (level === 0) return tools
  return tools.map((tool) => {
    const short = level === 3 ? withSignature(tool) : withShortSchema(tool, level)
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

function withShortSchema(tool: ToolDefinition, level: CompactLevel): ToolDefinition {
  const { name, description, parameters } = tool
  return {
    name,
    ...(description !== undefined && { description: shortDescription(description, level) }),
    ...(parameters && { parameters: compactSchema(parameters, level) }),
  }
}

function withSignature({ name, description, parameters }: ToolDefinition): ToolDefinition {
  const about = description === undefined ? '' : ` ${shortDescription(description, 3)}`
  return { name, description: `${shortSignature(parameters)}${about}` }
}

function shortDescription(text: string, level: CompactLevel): string {
  return level === 1 ? shortText(text, 400) : firstSentence(text, 120)
}
