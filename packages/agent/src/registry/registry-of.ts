import type { AnyTool } from '../tool/any-tool.ts'
import { createRegistry } from './create-registry.ts'
import type { Registry } from './registry.ts'

/** TEMPORARY: replaced by the registry work. */
export function registryOf({
  tools = [],
}: {
  readonly tools?: Registry | Iterable<AnyTool | string> | ReadonlyMap<string, AnyTool>
}): Registry {
  if ('definitions' in tools) return tools
  return createRegistry([...(tools instanceof Map ? tools.values() : (tools as Iterable<AnyTool>))])
}
