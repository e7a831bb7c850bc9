import { indexOfBuiltIn } from './built-in.ts'
import { families } from './protocol-families.ts'
import type { Family, Protocol } from './protocol.ts'
import type { ProtocolId } from './registry.ts'
import { resolveProtocol } from './resolve-protocol.ts'

/**
 * The models that write a protocol: its own list, or that of the built-in protocol it is or was
 * copied from.
 */
export function familyOf(given: Protocol | ProtocolId): Family {
  const protocol = resolveProtocol(given)
  const known = families[indexOfBuiltIn(protocol)]
  const { about, models, template } = { about: '', ...known, ...protocol }
  return { about, ...(models && { models }), ...(template !== undefined && { template }) }
}
