import type { TextPart } from '@toolglot/react/view'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import { LiveText } from '../live-text.tsx'
import { LongText } from '../../ui/long-text.tsx'

/** What the model thought before it answered: folded, unless it is still thinking. */
export function Reasoning({
  part,
  isOpen,
  isUnfolded = isOpen,
}: {
  readonly part: TextPart
  readonly isOpen: boolean
  readonly isUnfolded: boolean | undefined
}): ReactNode {
  const { t, number } = useWords()
  const { unfold } = useChatActions()
  // Nobody counts while it thinks.
  const words = useMemo(
    () => (isOpen ? 0 : part.text.split(/\s+/, 100_000).length),
    [part.text, isOpen],
  )
  return (
    <div className="thought">
      <button type="button" aria-expanded={isUnfolded} onClick={() => unfold(part.id, !isUnfolded)}>
        <Icon name="brain" />
        {isOpen ? t('chat.thinking') : t('chat.thought', { count: words, words: number(words) })}
        <Icon name="right" className="turnarrow" />
      </button>
      {isUnfolded && (
        <div className="thoughts">
          {isOpen ? (
            <LiveText text={part.text} className="plain" label={t('chat.reasoning')} />
          ) : (
            <LongText text={part.text.trim()} className="plain" label={t('chat.reasoning')} />
          )}
        </div>
      )}
    </div>
  )
}
