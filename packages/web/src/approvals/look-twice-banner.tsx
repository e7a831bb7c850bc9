import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { type Translate, useWords } from '../words/words.ts'
import type { Doubt } from './look-twice.ts'

/** Why a call may not be what it seems. */
export function LookTwiceBanner({ doubts }: { readonly doubts: readonly Doubt[] }): ReactNode {
  const { t } = useWords()
  return (
    <div className="looktwice">
      <div className="rowline">
        <Icon name="hand" />
        <b>{t('approvals.lookTwice')}</b>
        <span>{t('approvals.lookTwice.how')}</span>
      </div>
      <ul className="rowline">
        {doubts.map((doubt) => (
          <li key={doubt.type} className={`chip ${doubt.type === 'afterResult' ? 'fake' : 'ask'}`}>
            <VisibleText text={sentenceOf(doubt, t)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function sentenceOf(doubt: Doubt, t: Translate): string {
  const key = `approvals.doubt.${doubt.type}` as const
  switch (doubt.type) {
    case 'repaired':
      return t(key, { repairs: doubt.repairs.join(', ') })
    case 'unseen':
      return t(key, { name: doubt.name })
    case 'confusable':
      return t(key, { word: doubt.word.slice(0, 60), letter: doubt.letter })
    default:
      return t(key)
  }
}
