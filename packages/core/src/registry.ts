import * as all from './protocols/index.ts'
import type { Protocol } from './protocol.ts'

/** Every protocol, by its id. */
export const protocols: Readonly<Record<string, Protocol>> = Object.fromEntries(
  Object.values(all)
    .map((protocol): [string, Protocol] => [protocol.id, protocol])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
)

/**
 * All of them, as a list that stays the same. Several families may write the same text: the one that knows most ways of
 * writing comes first, and gives it its name.
 */
export const everyProtocol: readonly Protocol[] = Object.values(protocols).sort(
  (a, b) => (b.variants?.length ?? 0) - (a.variants?.length ?? 0),
)

/** Those that are no dialect of another: read when none is named. */
export const readProtocols: readonly Protocol[] = everyProtocol.filter(({ dialect }) => !dialect)
