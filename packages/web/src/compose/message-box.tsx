// Folder: Composing and sending messages.
import type { RunStart } from '@toolglot/react/view'
import { ApiError } from '@toolglot/server/client'
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Icon } from '../ui/icon.tsx'
import { isComposing } from '../ui/is-composing.ts'
import { useWords } from '../words/words.ts'
import { AttachmentList } from './attachment-list.tsx'
import { addRead, readFiles } from './attachments.ts'
import { changeCompose, useCompose } from './compose-store.ts'
import { ContextFill, type ContextUse } from './context-fill.tsx'
import { Pickers } from './pickers.tsx'
import { SendProblems } from './send-problems.tsx'
import type { SentMessage } from './sent-messages.ts'
import { useComposerCommands } from './use-composer-commands.ts'
import { useSelected } from './use-selected.ts'
import type { Sending } from './use-send.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** The fields of a chat that the box needs. They stay constant while a reply is written. */
export interface MessageBoxProps {
  /** The chat's key in the store. */
  readonly name: string
  readonly folder: string | undefined
  readonly facts: RunStart | undefined
  readonly hasRun: boolean
  readonly isDisabled: boolean
  readonly isWorking: boolean
  readonly isConnected: boolean
  readonly unread: readonly SentMessage[]
  readonly context: ContextUse | undefined
  readonly actions: Pick<Sending, 'send' | 'retry'> & { readonly stop: () => void }
}

/** The text field of a message with its buttons. Redrawn only if its props change. */
export const MessageBox = memo(function MessageBox({
  name: key,
  folder,
  facts,
  hasRun,
  isDisabled,
  isWorking,
  isConnected,
  unread,
  context,
  actions: { send, retry, stop },
}: MessageBoxProps): ReactNode {
  const { t } = useWords()
  const [compose, change] = useCompose(key)
  const selected = useSelected(compose.choices, facts, folder)
  const area = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  /** False until the box has had the focus: before, the caret position in a draft is arbitrary. */
  const hasCaret = useRef(false)
  const [isOver, setOver] = useState(false)

  const { text, isSending } = compose
  const canSend = text.trim() !== '' && !isSending && !isDisabled

  // Grows with its content, even in browsers without a style for that.
  useLayoutEffect(() => {
    const { current } = area
    if (!current || CSS.supports('field-sizing', 'content')) return
    current.style.height = 'auto'
    current.style.height = `${current.scrollHeight}px`
  }, [text])

  // Once the server answers again, the error is outdated.
  useEffect(() => {
    if (isConnected)
      changeCompose(key, ({ failure }) =>
        failure && !(failure.error instanceof ApiError) ? { failure: undefined } : {},
      )
  }, [key, isConnected])

  const attach = (added: readonly File[]): void => {
    if (added.length === 0 || isDisabled) return
    change({ problems: [] })
    void readFiles(added).then((read) => change((before) => addRead(before, read)))
  }
  const mention = (): void => {
    const { current } = area
    if (!current) return
    const { selectionStart, selectionEnd } = current
    const [start, end] = hasCaret.current
      ? [selectionStart, selectionEnd]
      : [text.length, text.length]
    const inserted = /\S$/.test(text.slice(0, start)) ? ' @' : '@'
    const caret = start + inserted.length
    change({ text: text.slice(0, start) + inserted + text.slice(end) })
    current.focus()
    requestAnimationFrame(() => current.setSelectionRange(caret, caret))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    if (canSend) send()
  }

  useComposerCommands({
    change,
    isDisabled,
    onWrite: () => area.current?.focus(),
    onAttach: () => files.current?.click(),
    onStop: isWorking
      ? () => {
          // Other text fields handle Escape themselves.
          const { activeElement: focused } = document
          if (focused === area.current || !focused?.matches(FIELDS)) stop()
        }
      : undefined,
  })

  const placeholder = isDisabled
    ? 'compose.placeholder.readOnly'
    : isWorking
      ? 'compose.placeholder.working'
      : hasRun
        ? 'compose.placeholder.next'
        : 'compose.placeholder.new'
  const { files: attached } = compose
  const takesNoImages =
    selected.found?.images === false &&
    attached.some(({ attachment }) => attachment.type === 'image')
  return (
    <div
      className={`@container rounded-lg border bg-panel shadow-card [[data-waiting-bar]+&]:rounded-t-none ${isOver ? 'border-dashed border-call' : 'border-line-2 focus-within:border-ink-3'}`}
      data-composer
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(false)
        attach([...event.dataTransfer.files])
      }}
    >
      <SendProblems
        compose={compose}
        change={change}
        folder={folder}
        takesNoImages={takesNoImages}
        model={selected.model}
        onRetry={retry}
      />
      <UnreadMessages messages={unread} />
      <AttachmentList
        files={attached}
        onRemove={(id) =>
          change({ files: attached.filter((each) => each.id !== id), problems: [] })
        }
      />
      <textarea
        className="block field-sizing-content max-h-[40vh] min-h-[44px] w-full resize-none overflow-auto border-0 bg-transparent px-[13px] pt-[11px] pb-1 text-14 outline-none focus-visible:shadow-none disabled:cursor-not-allowed disabled:text-ink-3 phone:text-[16px]"
        ref={area}
        rows={1}
        value={text}
        disabled={isDisabled}
        placeholder={t(placeholder)}
        aria-label={t('compose.message')}
        onChange={({ target }) => change({ text: target.value })}
        onFocus={() => void (hasCaret.current = true)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const pasted = [...event.clipboardData.files]
          if (pasted.length === 0) return
          event.preventDefault()
          attach(pasted)
        }}
      />
      <div className="flex min-w-0 items-center gap-0.5 px-1.5 pt-1 pb-1.5">
        <Pickers {...{ compose, change, selected, facts, folder, isDisabled }} />
        <IconButton
          icon="at"
          label={t('compose.mention')}
          disabled={isDisabled}
          onClick={mention}
        />
        <IconButton
          icon="plus"
          label={t('compose.attach')}
          title={t('compose.attach.how')}
          disabled={isDisabled}
          onClick={() => files.current?.click()}
        />
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={t('compose.attach')}
          onChange={({ target }) => {
            attach([...(target.files ?? [])])
            target.value = ''
          }}
        />
        <span className="min-w-0 flex-1" />
        {context && <ContextFill use={context} />}
        {isWorking && (
          <Button className="flex-none" title={t('compose.stop.about')} onClick={stop}>
            <Icon name="stop" />
            <span className="phone:sr-only">{t('compose.stop')}</span>
            <kbd aria-hidden="true">Esc</kbd>
          </Button>
        )}
        {(!isWorking || text.trim() !== '') && (
          <Button
            look="primary"
            className="flex-none disabled:opacity-50"
            disabled={!canSend}
            title={t(isWorking ? 'compose.send.working' : 'compose.send.about')}
            onClick={() => send()}
          >
            {isSending ? <Spinner /> : <Icon name="send" />}
            <span className="phone:sr-only">{t('compose.send')}</span>
          </Button>
        )}
      </div>
    </div>
  )
})

const FIELDS = 'input, textarea, select, [contenteditable]'

/** Messages that the run will read before its next turn. */
function UnreadMessages({ messages }: { readonly messages: readonly SentMessage[] }): ReactNode {
  const { t } = useWords()
  if (messages.length === 0) return null
  return (
    <ul
      className="grid gap-0.5 px-3 pt-[7px] text-12"
      aria-label={t('compose.unread')}
      role="status"
    >
      {messages.map(({ text }, at) => (
        <li key={at} className="flex min-w-0 items-center gap-[7px]">
          <Icon name="clock" className="size-[13px] text-ink-3" />
          <span className="min-w-0 flex-1 truncate">{text}</span>
          <span className="whitespace-nowrap text-ink-3">{t('compose.unread')}</span>
        </li>
      ))}
    </ul>
  )
}
