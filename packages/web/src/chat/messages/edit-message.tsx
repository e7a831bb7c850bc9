import type { PromptItem } from '@toolglot/react/view'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import type { OwnText } from '../rows/own-text.ts'

/** Edits a message: it is sent again in a copy of the run, and the run stays as it is. */
export function EditMessage({
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
