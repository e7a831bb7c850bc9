import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { ToolAccess } from '@toolglot/permissions'
import { checkTool, TOOL_KEYS } from './check-tool.ts'
import { type Tool, tool, type ToolContext } from './tool.ts'

/**
 * A tool with any types of arguments and result, made by `tool` or written as an object. Every `Tool<…>` is assignable to
 * it.
 */
export interface AnyTool extends Omit<
  Tool,
  'parameters' | 'execute' | 'verify' | 'show' | 'access'
> {
  readonly parameters: Schema | StandardSchemaV1
  /** What its arguments give access to, for permissions. Default: unknown, so permissions know only its name. */
  readonly access?: ToolAccess
  /** It changes nothing, and reads nothing that needs permission. */
  readonly readOnly?: boolean
  execute(args: never, context: ToolContext): unknown
  verify?(args: never, context: never): unknown
  show?(result: never, args: never): string
}

/**
 * Throws a TypeError if it is not a tool. The types are safe because a tool only receives arguments that passed its own
 * schema, and only formats its own results.
 */
export function asTool(given: AnyTool): Tool {
  checkTool(given)
  return given.access && given.readOnly === undefined ? (given as Tool) : completed(given)
}

/** Like `tool`, but for objects whose members may be inherited. */
function completed(given: AnyTool): Tool {
  const members = TOOL_KEYS.flatMap((key) => {
    const value: unknown = given[key]
    if (value === undefined) return []
    // The schemas of some libraries are functions too.
    const isMethod = typeof value === 'function' && key !== 'parameters'
    return [[key, isMethod ? (value.bind(given) as unknown) : value]]
  })
  return tool(Object.fromEntries(members) as Parameters<typeof tool>[0])
}

/** Tools by name, for `execute`. */
export function toolsByName(tools: readonly AnyTool[]): ReadonlyMap<string, Tool> {
  return new Map(tools.map(asTool).map((each) => [each.name, each]))
}
