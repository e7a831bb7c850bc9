import type { PromptItem } from '@toolglot/react/view'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { ownText } from '../rows/own-text.ts'
import { EditMessage } from './edit-message.tsx'

/** A message of the person. */
export function OwnMessage({
  item,
  isEdited,
}: {
  readonly item: PromptItem
  readonly isEdited: boolean
}): ReactNode {
  const { t } = useWords()
  const { edit } = useChatActions()
  const own = useMemo(() => ownText(item.text), [item.text])
  if (isEdited) return <EditMessage item={item} own={own} />
  return (
    <div className="me">
      <span className="tools">
        <button
          type="button"
          className="icon-btn sm"
          aria-label={t('chat.edit')}
          title={`${t('chat.edit')}  E`}
          onClick={() => edit(item.id)}
        >
          <Icon name="edit" />
        </button>
        <CopyButton text={() => own.words} />
      </span>
      <span className="sr">{t('chat.you')}</span>
      <LongText text={own.words} label={t('chat.you')}>
        {(shown) => (
          <div className="words" dir="auto">
            {shown}
          </div>
        )}
      </LongText>
      {(own.files.length > 0 || item.images > 0) && (
        <div className="rowline mt-1.5">
          {own.files.slice(0, 20).map(({ name }, at) => (
            <span key={at} className="chip line mono">
              <Icon name="at" />
              <VisibleText text={name.slice(0, 120)} />
            </span>
          ))}
          {own.files.length > 20 && <span className="chip line">+{own.files.length - 20}</span>}
          {item.images > 0 && (
            <span className="chip line">{t('chat.images', { count: item.images })}</span>
          )}
        </div>
      )}
    </div>
  )
}
