import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { Tool, ToolContext } from './tool.ts'

/** A tool, whatever its arguments and its result are. Every `Tool<…>` is one. */
export interface AnyTool extends Omit<Tool, 'parameters' | 'execute' | 'show'> {
  readonly parameters: Schema | StandardSchemaV1
  execute(args: never, context: ToolContext): unknown
  show?(result: never, args: never): string
}

/** A tool that is only ever given what its own schema let through, and shown what it gave itself. */
export function asTool(tool: AnyTool): Tool {
  return tool as Tool
}

/** Tools by their names, for `execute`. */
export function toolsByName(tools: readonly AnyTool[]): ReadonlyMap<string, Tool> {
  return new Map(tools.map((tool) => [tool.name, asTool(tool)]))
}
