import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { useClient } from './client-context.ts'
import type { PromptItem } from './view/run-view.ts'
import { type PromptToSend, resendPrompt, sendPrompt, type SentPrompt } from './view/send-prompt.ts'
import type { WatchedRun } from './view/watch-run.ts'
import { watchersOf } from './view/watchers.ts'

/** A conversation with a model that can call tools. */
export interface Chat {
  /** Undefined until the first message is sent. */
  readonly run: WatchedRun | undefined
  /** Sends a message: it starts a run, goes to a running one, or continues one that has ended. */
  readonly send: (message: PromptToSend) => Promise<SentPrompt>
  /** Replaces a message with another one, in a copy of the run. */
  readonly resend: (
    item: Pick<PromptItem, 'turn'>,
    message: Omit<PromptToSend, 'folder' | 'acceptChanges'> & { readonly restoreFiles?: boolean },
  ) => Promise<SentPrompt>
  readonly stop: () => Promise<void>
}

/** The run of a conversation, and a callback for a change of it. */
export interface ChatOptions {
  /** Undefined for a new conversation. */
  readonly run: string | undefined
  /** Called with the run that a message started. */
  readonly onRun: (run: string) => void
}

/** A conversation in an existing run, or in one that the first message starts. */
export function useChat({ run, onRun }: ChatOptions): Chat {
  const client = useClient()
  const watched = run === undefined ? NOTHING : watchersOf(client).run(run)
  const state = useSyncExternalStore<WatchedRun | undefined>(watched.subscribe, watched.current)
  // A user who has moved to another conversation is not moved back.
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => void (isShown.current = false)
  }, [run])
  const send = useCallback(
    async (message: PromptToSend) => {
      const sent = await sendPrompt(client, state?.view, message)
      if (sent.run !== run && isShown.current) onRun(sent.run)
      return sent
    },
    [client, state?.view, run, onRun],
  )
  const resend = useCallback<Chat['resend']>(
    async (item, message) => {
      if (run === undefined) throw new TypeError('A new conversation has no message to send again.')
      const sent = await resendPrompt(client, run, item, message)
      if (isShown.current) onRun(sent.run)
      return sent
    },
    [client, run, onRun],
  )
  const stop = useCallback(async () => {
    if (run !== undefined) await client.request('POST /api/runs/:run/stop', { parameters: { run } })
  }, [client, run])
  return { run: state, send, resend, stop }
}

const NOTHING = { current: () => undefined, subscribe: () => () => {} }
