import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { Tool, ToolContext } from './tool.ts'

/** A tool with any types of arguments and result. Every `Tool<…>` is assignable to it. */
export interface AnyTool extends Omit<Tool, 'parameters' | 'execute' | 'show'> {
  readonly parameters: Schema | StandardSchemaV1
  execute(args: never, context: ToolContext): unknown
  show?(result: never, args: never): string
}

/** Safe because a tool only receives arguments that passed its own schema, and only formats its own results. */
export function asTool(tool: AnyTool): Tool {
  return tool as Tool
}

/** Tools by name, for `execute`. */
export function toolsByName(tools: readonly AnyTool[]): ReadonlyMap<string, Tool> {
  return new Map(tools.map((tool) => [tool.name, asTool(tool)]))
}
