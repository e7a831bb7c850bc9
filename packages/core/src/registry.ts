import { builtIn } from './protocol-list.ts'
import type { Protocol } from './protocol.ts'
import type * as all from './protocols/index.ts'

/** The id of a built-in protocol, such as `'hermes'`. */
export type ProtocolId = (typeof all)[keyof typeof all]['id']

/** Every built-in protocol by its id. */
export const protocols: Readonly<Record<ProtocolId, Protocol>> &
  Readonly<Record<string, Protocol>> = Object.fromEntries(
  builtIn
    .map((protocol): [string, Protocol] => [protocol.id, protocol])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
) as Record<ProtocolId, Protocol>

/**
 * All built-in protocols, always as the same list. If several families write the same text, the
 * protocol with the most variants is first, and its id is reported.
 */
export const everyProtocol: readonly Protocol[] = Object.values(protocols).sort(
  (a, b) => (b.variants?.length ?? 0) - (a.variants?.length ?? 0),
)

/** The protocols that are not dialects. They read a reply if no protocol is selected. */
export const readProtocols: readonly Protocol[] = everyProtocol.filter(({ dialect }) => !dialect)
