import type { Chat } from '@toolglot/react'
import { ApiError } from '@toolglot/server/client'
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import { useToast } from '../ui/toasts.tsx'
import { useWords } from '../words/words.ts'
import { composeKey, useCompose } from './compose-store.ts'
import { contextUse } from './context-fill.tsx'
import { MessageBox, type MessageBoxProps } from './message-box.tsx'
import { isInterrupted, isReadOnly } from './run-status-of.ts'
import { promptsIn, unreadMessages } from './sent-messages.ts'
import { useRunRecord } from './use-run-record.ts'
import { useSend } from './use-send.ts'

/** The message box of a chat. */
export function Composer({
  chat,
  folder,
}: {
  readonly chat: Chat
  readonly folder: string | undefined
}): ReactNode {
  const name = composeKey(chat, folder)
  const [{ sent }] = useCompose(name)
  const record = useRunRecord(chat)
  const view = chat.run?.view
  const isOpen = view?.state === 'working' || view?.state === 'waiting'
  const isWorking = isOpen && !isInterrupted(view, record)
  // A stopped run reads them when it continues.
  const unread = view ? unreadMessages(sent, promptsIn(view.items)) : []
  return (
    <MessageBox
      {...{ name, folder, isWorking }}
      facts={view?.facts}
      hasRun={view !== undefined}
      isDisabled={isReadOnly(record)}
      isConnected={chat.run?.connection === 'connected'}
      unread={useSame(unread)}
      context={useSame(view && contextUse(view))}
      actions={useActions(chat, folder)}
    />
  )
}

/**
 * Returns the previous value if its fields are equal, so that unchanged components are not redrawn.
 */
function useSame<Value extends object | undefined>(value: Value): Value {
  const last = useRef(value)
  const [one, other] = [Object.entries(last.current ?? {}), Object.entries(value ?? {})]
  const isSame =
    !last.current === !value &&
    one.length === other.length &&
    one.every(([key, each], at) => key === other[at]![0] && each === other[at]![1])
  const same = isSame ? last.current : value
  useLayoutEffect(() => void (last.current = same))
  return same
}

/** The actions on a message, as stable functions. */
function useActions(chat: Chat, folder: string | undefined): MessageBoxProps['actions'] {
  const { t } = useWords()
  const toast = useToast()
  const { send, retry } = useSend(chat, folder)
  const stop = (): void => {
    chat.stop().catch((error: unknown) => {
      // The run may already have ended.
      if (!(error instanceof ApiError) || error.status >= 500)
        toast({ title: t('compose.stop.failed'), kind: 'no', duration: 15_000 })
    })
  }
  const latest = useRef({ send, retry, stop })
  useLayoutEffect(() => void (latest.current = { send, retry, stop }))
  return useMemo(
    () => ({
      send: (text) => latest.current.send(text),
      retry: (...failed) => latest.current.retry(...failed),
      stop: () => latest.current.stop(),
    }),
    [],
  )
}
