import type { ToolDefinition } from '../protocol.ts'

/**
 * Returns a tool that is safe to print. Its schema may come from an untrusted source, so parts of a
 * very deep or large schema are left empty.
 */
export function boundedTool(tool: ToolDefinition): ToolDefinition {
  let left = MAX_VALUES
  return bounded(tool, MAX_DEPTH) as ToolDefinition

  function bounded(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (depth === 0 || left-- <= 0) return {}
    if (Array.isArray(value)) return value.map((item) => bounded(item, depth - 1))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, bounded(item, depth - 1)]),
    )
  }
}

const MAX_DEPTH = 64
const MAX_VALUES = 20_000
