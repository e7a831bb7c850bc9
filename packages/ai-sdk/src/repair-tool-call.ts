import { parseArguments, type Schema } from '@toolglot/core'

/** The parts of an AI SDK call that are repaired. */
export interface RepairableToolCall {
  readonly toolName: string
  /** The arguments as JSON. */
  readonly input: string
}

/** The AI SDK's report of a call with an unknown tool or an invalid input. */
export interface ToolCallRepair<ToolCall extends RepairableToolCall> {
  readonly toolCall: ToolCall
  /** The tools by their names. */
  readonly tools: object
  /** The JSON Schema of a tool's input. */
  readonly inputSchema: (options: { toolName: string }) => PromiseLike<unknown>
}

/**
 * Repairs a call for `generateText` and `streamText`: broken JSON, values of the wrong type, and a
 * name that differs from exactly one tool's only in case and separators. Returns null if that does
 * not help, and always for a call that was cut off or has values in triple quotes.
 */
export async function repairToolCall<ToolCall extends RepairableToolCall>({
  toolCall,
  tools,
  inputSchema,
}: ToolCallRepair<ToolCall>): Promise<ToolCall | null> {
  const toolName = nameOf(toolCall.toolName, Object.keys(tools))
  if (toolName === undefined) return null
  const input = repairInput(toolCall.input, (await inputSchema({ toolName })) as Schema)
  if (input === undefined) return null
  const isChanged = toolName !== toolCall.toolName || input !== compact(toolCall.input)
  return isChanged ? { ...toolCall, toolName, input } : null
}

function nameOf(written: string, names: readonly string[]): string | undefined {
  if (names.includes(written)) return written
  const [match, ...others] = names.filter((name) => plainName(name) === plainName(written))
  return others.length === 0 ? match : undefined
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, '')
}

/** JSON without spaces, or undefined if the string is not JSON. */
function compact(json: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(json))
  } catch {
    // Invalid JSON, which is repaired.
    return undefined
  }
}

/**
 * The input as JSON that fits the schema better, or undefined if it is unreadable or incomplete.
 */
function repairInput(input: string, parameters: Schema): string | undefined {
  const read = parseArguments(input, parameters)
  // With two values for one key, the intended one is unknown.
  if (!read?.complete || read.repairs.includes('duplicate-key')) return undefined
  return hasTripleQuotes(input, read.repairs) ? undefined : JSON.stringify(read.args)
}

/**
 * True if quotes around a value could be read as part of it: `"""ls"""` is not the command
 * `""ls""`.
 */
function hasTripleQuotes(input: string, repairs: readonly string[]): boolean {
  // If the arguments are a string, quotes in it are escaped.
  const written = input.trimStart().startsWith('"') ? input.replaceAll('\\"', '"') : input
  // JSON never has three quotes in a row. Three single quotes may be inside a string.
  return written.includes('"""') || (repairs.includes('single-quotes') && input.includes("'''"))
}
