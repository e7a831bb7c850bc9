import { useEffect, useMemo, useState } from 'react'
import { changeParser, drawnNow, type ParserState } from './parser-store.ts'
import { absent, useSources } from './sources.ts'
import type { KnownProtocol } from './worker/messages.ts'
import type { ParseClient } from './worker/parse-client.ts'

/** The protocols that can be chosen. */
export interface KnownProtocols {
  readonly builtIn: readonly KnownProtocol[]
  readonly own: readonly KnownProtocol[]
  /** True if the list is complete. */
  readonly isComplete: boolean
}

/** The worker's protocols and the user's own. */
export function useProtocols(client: ParseClient): KnownProtocols {
  const { useOwnProtocols = absent.useOwnProtocols } = useSources()
  const own = useOwnProtocols()
  const [builtIn, setBuiltIn] = useState<readonly KnownProtocol[]>()
  useEffect(() => {
    client.ask('protocols', {}).then(setBuiltIn, () => {})
  }, [client])
  return useMemo(
    () => ({
      builtIn: builtIn ?? [],
      own: own ?? [],
      isComplete: builtIn !== undefined && own !== undefined,
    }),
    [builtIn, own],
  )
}

/**
 * The protocol that a choice refers to; the id of one of the user's own without its prefix.
 * Undefined if there is none or the list is still loading.
 */
export function protocolFor(
  choice: string,
  { builtIn, own }: KnownProtocols,
  hasDrawing: boolean,
): string | undefined {
  if (choice === 'auto' || (choice === 'drawn' && hasDrawing)) return choice
  if (builtIn.some(({ id }) => id === choice)) return choice
  const mine = own.find(({ id }) => choice === `own:${id}` || choice === id)
  return mine && `own:${mine.id}`
}

/**
 * True if the chosen protocol is available. A choice that does not exist here becomes `auto`, with
 * a notice.
 */
export function useChosenProtocol(state: ParserState, known: KnownProtocols): boolean {
  const { protocol } = state
  const found = protocolFor(protocol, known, drawnNow(state).trim() !== '')
  const { isComplete } = known
  useEffect(() => {
    if (found !== undefined && found !== protocol) changeParser({ protocol: found })
    else if (found === undefined && isComplete)
      changeParser({ protocol: 'auto', notice: { type: 'no-protocol', protocol } })
  }, [found, protocol, isComplete])
  return found === protocol
}
