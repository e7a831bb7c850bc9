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
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'

/** A message of the user. */
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
    <div className="group relative max-w-[84%] justify-self-end rounded-[12px_12px_3px_12px] bg-hover px-[13px] py-2 text-14 phone:max-w-[92%]">
      <span className="absolute top-1 right-full flex pr-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 phone:static phone:float-right phone:-mt-1 phone:-mr-2 phone:justify-end phone:opacity-100">
        <IconButton
          icon="edit"
          label={t('chat.edit')}
          title={`${t('chat.edit')}  E`}
          onClick={() => edit(item.id)}
        />
        <CopyButton text={() => own.words} />
      </span>
      <span className="sr-only">{t('chat.you')}</span>
      <LongText text={own.words} label={t('chat.you')}>
        {(shown) => (
          <div
            className="overflow-clip wrap-anywhere whitespace-pre-wrap [overflow-clip-margin:6px]"
            dir="auto"
          >
            {shown}
          </div>
        )}
      </LongText>
      {(own.files.length > 0 || item.images > 0) && (
        <div className="cluster mt-1.5">
          {own.files.slice(0, 20).map(({ name }, at) => (
            <Chip key={at} outline mono>
              <Icon name="at" />
              <VisibleText text={name.slice(0, 120)} />
            </Chip>
          ))}
          {own.files.length > 20 && <Chip outline>+{own.files.length - 20}</Chip>}
          {item.images > 0 && <Chip outline>{t('chat.images', { count: item.images })}</Chip>}
        </div>
      )}
    </div>
  )
}

/** Edits a message and sends it in a fork of the run, which stays unchanged. */
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
      className="grid gap-2 rounded-lg border border-line-2 bg-panel px-3 py-2.5 shadow-card"
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
        className="w-full resize-y rounded-md border border-line bg-bg px-2.5 py-2 text-14"
        ref={field}
        aria-label={t('chat.edit.words')}
        value={words}
        rows={Math.min(12, words.split('\n').length + 1)}
        onChange={({ target }) => setWords(target.value)}
      />
      <div className="cluster">
        <label className="cluster">
          <Switch
            checked={restoreFiles}
            onChange={setRestoreFiles}
            label={t('chat.edit.restoreFiles')}
          />
          <span className="text-ink-2">{t('chat.edit.restoreFiles')}</span>
        </label>
        <span className="min-w-0 flex-1" />
        <Button onClick={() => edit(undefined)}>{t('chat.cancel')}</Button>
        <Button type="submit" look="primary" disabled={isSending || words.trim() === ''}>
          {t('chat.edit.send')}
        </Button>
      </div>
      <p className="text-ink-3">
        {t('chat.edit.about')}
        {item.images > 0 && ` ${t('chat.edit.images', { count: item.images })}`}
      </p>
    </form>
  )
}
