import type { MadeUpPart } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { Bubble } from '../calls/bubble.tsx'
import { LongText } from '../../ui/long-text.tsx'

/** A result that no tool returned: the model wrote it itself. */
export function MadeUp({
  part,
  isUnfolded = false,
}: {
  readonly part: MadeUpPart
  readonly isUnfolded: boolean | undefined
}): ReactNode {
  const { t } = useWords()
  return (
    <Bubble
      id={part.id}
      kind="fake"
      isUnfolded={isUnfolded}
      head={
        <>
          <span className="st">
            <Icon name="q" />
          </span>
          <span className="tool">{t('chat.madeUp')}</span>
          <span className="what cut">{part.text.slice(0, 200)}</span>
        </>
      }
    >
      <p>{t('chat.madeUp.about')}</p>
      <LongText text={part.text} label={t('chat.madeUp')} />
    </Bubble>
  )
}
