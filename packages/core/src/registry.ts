import { builtIn } from './protocol-list.ts'
import type { Protocol } from './protocol.ts'
import type * as all from './protocols/index.ts'

/** The id of a protocol that comes with this package, such as `'hermes'`. */
export type ProtocolId = (typeof all)[keyof typeof all]['id']

/** Every protocol that comes with this package, by its id. */
export const protocols: Readonly<Record<ProtocolId, Protocol>> &
  Readonly<Record<string, Protocol>> = Object.fromEntries(
  builtIn
    .map((protocol): [string, Protocol] => [protocol.id, protocol])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
) as Record<ProtocolId, Protocol>

/**
 * All of them, as a list that is always the same object. Several families may write the same text: the one that knows the
 * most ways of writing comes first, and its id is the one reported.
 */
export const everyProtocol: readonly Protocol[] = Object.values(protocols).sort(
  (a, b) => (b.variants?.length ?? 0) - (a.variants?.length ?? 0),
)

/** The protocols that are not a dialect of another one: these read a reply if none is named. */
export const readProtocols: readonly Protocol[] = everyProtocol.filter(({ dialect }) => !dialect)
