import { useQueryClient } from '@tanstack/react-query'
import { type Chat, useClient } from '@toolglot/react'
import type { PromptToSend } from '@toolglot/react/view'
import type { Limits } from '@toolglot/agent'
import { useCallback } from 'react'
import { checkLength } from './attachments.ts'
import { changeCompose, composeKey, composeOf, isNewChat, type Unsent } from './compose-store.ts'
import { isInterrupted } from './run-status-of.ts'
import { promptsIn, unreadMessages } from './sent-messages.ts'
import { useRunRecord } from './use-run-record.ts'
import { useWarn } from './use-warn.ts'

/** How to send what is written in a chat, and how to let a run continue without a message. */
export interface Sending {
  /** Sends a text, or what is written. What is written comes back if it does not arrive. */
  readonly send: (text?: string) => void
  /** Continues the run where it stopped. */
  readonly resume: (limits?: Partial<Limits>) => void
  /** Tries again what failed. */
  readonly retry: (failed: Unsent, acceptChanges: boolean) => void
}

/** How to send what is written in a chat. */
export function useSend(chat: Chat, folder: string | undefined): Sending {
  const client = useClient()
  const queries = useQueryClient()
  const record = useRunRecord(chat)
  const key = composeKey(chat, folder)
  const view = chat.run?.view
  const warn = useWarn()

  // `work` returns whether the choices went with it.
  const attempt = useCallback(
    async (unsent: Unsent, takeBack: () => void, work: () => Promise<boolean>) => {
      if (composeOf(key).isSending) return
      changeCompose(key, { isSending: true, failure: undefined, problems: [] })
      try {
        const wereChoicesSent = await work()
        // Those for new chats are kept; those for a run are its own now.
        if (wereChoicesSent && !isNewChat(key)) changeCompose(key, { choices: {} })
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown))
        takeBack()
        changeCompose(key, { failure: { error, unsent } })
      } finally {
        changeCompose(key, { isSending: false })
        void queries.invalidateQueries({ queryKey: ['GET /api/runs/:run'] })
        void queries.invalidateQueries({ queryKey: ['GET /api/runs'] })
      }
    },
    [key, queries],
  )

  const send = (text?: string, acceptChanges = false): void => {
    const isWorking = view?.state === 'working' || view?.state === 'waiting'
    const { files, text: written } = composeOf(key)
    const prompt = (text ?? written).trim()
    if (prompt === '') return
    const problem = checkLength(prompt, files, isWorking)
    if (problem) return changeCompose(key, { problems: [problem] })
    const attachments = files.map(({ attachment }) => attachment)
    const prompts = view ? promptsIn(view.items) : []
    const wasInterrupted = view !== undefined && isInterrupted(view, record)
    // After sending, the box is empty for the next message.
    const isWritten = text === undefined
    const takeBack = (): void =>
      changeCompose(key, (now) => ({
        files: [...files, ...now.files],
        ...(isWritten && { text: now.text === '' ? written : `${written}\n\n${now.text}` }),
      }))
    void attempt({ type: 'message', text }, takeBack, async () => {
      changeCompose(key, { files: [], ...(isWritten && { text: '' }) })
      const request: PromptToSend = {
        prompt,
        attachments: attachments.length > 0 ? attachments : undefined,
        ...requestOf(key, acceptChanges),
      }
      if (view && wasInterrupted) {
        // Nobody would read a message.
        const { acceptChanges: accept, folder: _, ...body } = request
        const { warnings } = await client.request('POST /api/runs/:run/resume', {
          parameters: { run: view.run },
          body: { ...body, ...(accept && { acceptChanges: accept }) },
        })
        warn(warnings)
      } else {
        const { warnings } = await chat.send({
          ...request,
          ...(!view && folder !== undefined && { folder }),
        })
        warn(warnings)
      }
      const isMessage = isWorking && !wasInterrupted
      changeCompose(key, (before) => ({
        ...(isMessage && {
          sent: [...unreadMessages(before.sent, prompts), { text: prompt, after: prompts.length }],
        }),
      }))
      return !isMessage
    })
  }

  const resume = (limits?: Partial<Limits>, acceptChanges = false): void => {
    if (!view) return
    void attempt(
      { type: 'resume', limits },
      () => {},
      async () => {
        const { warnings } = await client.request('POST /api/runs/:run/resume', {
          parameters: { run: view.run },
          body: { ...requestOf(key, acceptChanges), ...(limits && { limits }) },
        })
        warn(warnings)
        return true
      },
    )
  }

  return {
    send,
    resume,
    retry: (unsent, acceptChanges) =>
      unsent.type === 'message'
        ? send(unsent.text, acceptChanges)
        : resume(unsent.limits, acceptChanges),
  }
}

/** The choices as a request. Choosing another model accepts the change. */
function requestOf(
  key: string,
  acceptChanges: boolean,
): Pick<PromptToSend, 'model' | 'protocol' | 'permissions' | 'acceptChanges'> {
  const { model, protocol, mode } = composeOf(key).choices
  const isChanged = !isNewChat(key) && (model !== undefined || protocol !== undefined)
  return {
    model,
    protocol,
    permissions: mode === undefined ? undefined : { mode },
    acceptChanges: acceptChanges || isChanged || undefined,
  }
}
