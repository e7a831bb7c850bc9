import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { UnderstoodItem } from '../understood/understood-item.tsx'
import type { Questions } from '../worker/messages.ts'

/** The calls that a protocol reads, and what it does not understand. */
export type Cards = Questions['cards']['output']

/** Cards as in the list of what was understood: their arguments and repairs are what one compares. */
export function CompareCards({
  items,
  left,
  length,
}: Cards & { readonly length: number }): ReactNode {
  const { t } = useWords()
  return (
    <>
      {items.map((item) => (
        <UnderstoodItem key={item.at} item={item} until={length} isHot={false} />
      ))}
      {left > 0 && <p className="dim">{t('parser.compare.more', { count: left })}</p>}
    </>
  )
}
