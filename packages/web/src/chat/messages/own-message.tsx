import type { PromptItem } from '@toolglot/react/view'
import { useMemo, type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { ownText, type OwnText } from '../rows/own-text.ts'
import { Switch } from '../../ui/switch.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

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
        <IconButton
          icon="edit"
          label={t('chat.edit')}
          title={`${t('chat.edit')}  E`}
          onClick={() => edit(item.id)}
        />
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

/** Edits a message: it is sent again in a copy of the run, and the run stays as it is. */
function EditMessage({
  item,
  own,
}: {
  readonly item: PromptItem
  readonly own: OwnText
}): ReactNode {
  const { t } = useWords()
  const { edit, resend } = useChatActions()
  const toast = useToast()
  const [words, setWords] = useState(own.words)
  const [restoreFiles, setRestoreFiles] = useState(false)
  const [isSending, setSending] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const { current } = field
    current?.focus()
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  const send = async (): Promise<void> => {
    if (words.trim() === '' || isSending) return
    setSending(true)
    try {
      await resend(item, words.trim(), restoreFiles)
      edit(undefined)
    } catch (error) {
      toast({ title: t('chat.edit.failed'), text: (error as Error).message, kind: 'no' })
      setSending(false)
    }
  }
  return (
    <form
      className="editme"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault()
          edit(undefined)
        } else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send()
      }}
    >
      <textarea
        ref={field}
        aria-label={t('chat.edit.words')}
        value={words}
        rows={Math.min(12, words.split('\n').length + 1)}
        onChange={({ target }) => setWords(target.value)}
      />
      <div className="rowline">
        <label className="rowline">
          <Switch
            checked={restoreFiles}
            onChange={setRestoreFiles}
            label={t('chat.edit.restoreFiles')}
          />
          <span className="dim">{t('chat.edit.restoreFiles')}</span>
        </label>
        <span className="grow" />
        <button type="button" className="btn" onClick={() => edit(undefined)}>
          {t('chat.cancel')}
        </button>
        <button type="submit" className="btn pri" disabled={isSending || words.trim() === ''}>
          {t('chat.edit.send')}
        </button>
      </div>
      <p className="dim-2">
        {t('chat.edit.about')}
        {item.images > 0 && ` ${t('chat.edit.images', { count: item.images })}`}
      </p>
    </form>
  )
}
