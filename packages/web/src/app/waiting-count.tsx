import type { ReactNode } from 'react'
import { useWaitingCount } from '../approvals/waiting-count.ts'
import { useWords } from '../words/words.ts'

/** How many calls and questions wait for a person, if any do. */
export function WaitingCount(): ReactNode {
  const { t, number } = useWords()
  const count = useWaitingCount()
  if (count === 0) return null
  const words = t('shell.waiting', { count })
  return (
    <span className="count" title={words}>
      <span aria-hidden="true">{number(count)}</span>
      <span className="sr">{words}</span>
    </span>
  )
}
