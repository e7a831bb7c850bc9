import { type BuiltIn, builtInOf } from './built-in.ts'
import type { Family, Protocol } from './protocol.ts'
import * as all from './protocol-families.ts'
import type { ProtocolId } from './registry.ts'
import { resolveProtocol } from './resolve-protocol.ts'

const families: Readonly<Record<BuiltIn, Family>> = all

/** Which models write a protocol: what it says itself, or else the built-in protocol that it is, or was made from. */
export function familyOf(given: Protocol | ProtocolId): Family {
  const protocol = resolveProtocol(given)
  const name = builtInOf(protocol)
  const { about, models, template } = { about: '', ...(name && families[name]), ...protocol }
  return { about, ...(models && { models }), ...(template !== undefined && { template }) }
}
