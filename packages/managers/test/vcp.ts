import { SUPPORTED_PROTOCOLS, toolRegistryManager } from '../src/index.ts'

/** A request in the form that a model writes. */
export const listRequest = `<<<[TOOL_REQUEST]>>>
tool_name:「始」directory-tree_listFiles「末」
path:「始」src/tools「末」
recursive:「始」false「末」
<<<[END_TOOL_REQUEST]>>>`

/** Removes all tools and protocols, after a test. */
export function forgetTools(): void {
  for (const { id } of toolRegistryManager.getAllTools()) toolRegistryManager.unregister(id)
  SUPPORTED_PROTOCOLS.clear()
}
