import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import type { Counts } from '../worker/messages.ts'

/** How long nothing may change before the counts are announced, in milliseconds. */
const PAUSE = 1000

/** Tells those who cannot see it how much was found, once somebody pauses: not at every key. */
export function SpokenCounts({ counts }: { readonly counts: Counts }): ReactNode {
  const { t } = useWords()
  const { calls, cut, problems, repairs, malformed } = counts
  const text = [
    calls === 0 ? t('parser.count.none') : t('parser.count.calls', { count: calls }),
    ...(repairs > 0 ? [t('parser.count.repairs', { count: repairs })] : []),
    ...(cut > 0 ? [t('parser.count.cut', { count: cut })] : []),
    ...(problems > 0 ? [t('parser.count.problems', { count: problems })] : []),
    ...(malformed > 0 ? [t('parser.count.malformed', { count: malformed })] : []),
  ].join(', ')
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <span className="sr" role="status">
      {said}
    </span>
  )
}
