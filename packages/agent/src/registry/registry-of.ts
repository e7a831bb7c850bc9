import type { AnyTool } from '../tool/any-tool.ts'
import { createRegistry } from './create-registry.ts'
import type { Registry } from './registry.ts'

/** A registry as it is, or one of these tools. */
export function toRegistry(
  tools: Registry | Iterable<AnyTool> | ReadonlyMap<string, AnyTool> = [],
): Registry {
  if ('definitions' in tools) return tools
  return createRegistry([...(tools instanceof Map ? tools.values() : (tools as Iterable<AnyTool>))])
}
