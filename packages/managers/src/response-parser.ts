import { isObject } from '@toolglot/agent/internal'
import { parse, type ToolDefinition } from '@toolglot/core'
import type { PTKArguments } from './ptk/types.ts'

/** A model's reply: text, or the call of a tool. */
export type ParsedResponse =
  | { type: 'text'; content: string; tool?: undefined; args?: undefined; reasoning?: undefined }
  | { type: 'tool_call'; tool: string; args: PTKArguments; reasoning?: string; content?: undefined }

/** The result of checking whether a call can run. */
export interface ToolCallValidation {
  readonly isValid: boolean
  readonly error?: string
}

/** The marks of a call, for programs that search for them. `parseResponse` does not use it. */
export const TOOL_CALL_PATTERN: RegExp = /<TOOL_CALL>\s*([\s\S]*?)\s*<\/TOOL_CALL>/

/**
 * Reads replies in the protocol `tool-call` without repairs: a call that is not quite right is
 * text.
 */
export class ResponseParser {
  readonly #tools: readonly ToolDefinition[] | undefined

  /** With `tools`, calls of other tools and calls without a required argument are also text. */
  constructor(tools?: readonly ToolDefinition[]) {
    this.#tools = tools
  }

  parse(response: string): ParsedResponse {
    return parseResponse(response, this.#tools)
  }
}

/**
 * Parses the first call in a reply, without repairs. With `tools`, it must be a valid call to one
 * of them.
 */
export function parseResponse(response: string, tools?: readonly ToolDefinition[]): ParsedResponse {
  const { calls } = parse(response, { protocols: 'tool-call', repairs: false })
  const [call] = calls
  const text = { type: 'text', content: response } as const
  if (!call || !call.complete || call.argsMissing || !call.repairs.every(isHarmless)) return text
  const { name, args, reasoning } = call
  if (tools && !validateToolCall({ tool: name, args }, tools).isValid) return text
  return { type: 'tool_call', tool: name, args, ...(reasoning !== undefined && { reasoning }) }
}

/** These repairs concern the content of a call, not its form. */
function isHarmless(repair: string): boolean {
  return repair === 'extra-member' || repair === 'number-out-of-range'
}

/**
 * Checks that a call is for one of the tools and has its required arguments. Types are checked when
 * the call runs.
 */
export function validateToolCall(
  toolCall: { readonly tool?: unknown; readonly args?: unknown },
  availableTools: readonly ToolDefinition[],
): ToolCallValidation {
  const { tool: name, args } = toolCall
  const tool = availableTools.find((each) => each.name === name)
  if (!tool) return { isValid: false, error: `Unknown tool: ${String(name)}` }
  const required = tool.parameters?.['required']
  const missing = (Array.isArray(required) ? required : []).find(
    (parameter) => !isObject(args) || !Object.hasOwn(args, String(parameter)),
  )
  return missing === undefined
    ? { isValid: true }
    : { isValid: false, error: `Missing required parameter: ${String(missing)}` }
}
