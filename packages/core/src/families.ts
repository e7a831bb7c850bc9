import { indexOfBuiltIn } from './built-in.ts'
import { families } from './protocol-families.ts'
import type { Family, Protocol } from './protocol.ts'
import type { ProtocolId } from './registry.ts'
import { resolveProtocol } from './resolve-protocol.ts'

/** Which models write a protocol: what it says itself, or else the built-in protocol that it is, or was made from. */
export function familyOf(given: Protocol | ProtocolId): Family {
  const protocol = resolveProtocol(given)
  const known = families[indexOfBuiltIn(protocol)]
  const { about, models, template } = { about: '', ...known, ...protocol }
  return { about, ...(models && { models }), ...(template !== undefined && { template }) }
}
