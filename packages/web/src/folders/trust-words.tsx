import type { ReactNode } from 'react'
import { useWords, type Key } from '../words/words.ts'
import type { ApiAnswer } from '@toolglot/server/client'
import { Dot, type DotTone } from '../ui/dot.tsx'

/** The trust state of a folder, as a dot and a word. */
export function TrustWords({
  trust,
  isLong = false,
}: {
  readonly trust: TrustState
  readonly isLong?: boolean
}): ReactNode {
  const { t } = useWords()
  const { short, long, dot } = TRUST_WORDS[trust]
  return (
    <>
      <Dot tone={dot} />
      <span className={isLong ? '' : 'min-w-0 truncate'}>{t(isLong ? long : short)}</span>
    </>
  )
}

/** The effects of a folder's settings, and its trust. */
export type TrustOffer = ApiAnswer<'GET /api/trust'>

/**
 * The trust state of a folder. `nothing`: its settings allow nothing, so there is nothing to trust.
 */
export type TrustState = 'trusted' | 'changed' | 'untrusted' | 'nothing' | 'gone'

/** The trust state for a server answer. */
export function trustStateOf({ trust, grantsNothing }: TrustOffer): TrustState {
  return trust !== 'trusted' && grantsNothing ? 'nothing' : trust
}

/** The words and the dot for each state. */
export const TRUST_WORDS: Readonly<
  Record<TrustState, { readonly short: Key; readonly long: Key; readonly dot?: DotTone }>
> = {
  trusted: { short: 'folders.trusted', long: 'folders.trusted', dot: 'ok' },
  changed: { short: 'folders.changed', long: 'folders.changed.long', dot: 'no' },
  untrusted: { short: 'folders.untrusted', long: 'folders.untrusted.long', dot: 'ask' },
  nothing: { short: 'folders.nothing', long: 'folders.nothing' },
  gone: { short: 'folders.gone', long: 'folders.gone', dot: 'no' },
}
