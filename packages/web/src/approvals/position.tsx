import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'

/** Which one it is of those that wait. */
export function Position({
  position,
  count,
}: {
  readonly position: number
  readonly count: number
}): ReactNode {
  const { t } = useWords()
  if (count < 2) return null
  return <span className="dim-2 num position">{t('approvals.position', { position, count })}</span>
}
