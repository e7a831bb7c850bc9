import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { TRUST_WORDS, type TrustState } from './trust-state.ts'

/** Whether the settings of a folder count, as a dot and a word. */
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
      <i className={`dot ${dot}`} />
      <span className={isLong ? '' : 'cut'}>{t(isLong ? long : short)}</span>
    </>
  )
}
