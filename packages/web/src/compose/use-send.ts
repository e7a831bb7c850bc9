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

/** Functions that send a chat's message and continue its run. */
export interface Sending {
  /** Sends a text, or the typed message. If sending fails, the message is restored. */
  readonly send: (text?: string) => void
  /** Continues the run from its last event. */
  readonly resume: (limits?: Partial<Limits>) => void
  /** Retries a failed request. */
  readonly retry: (failed: Unsent, acceptChanges: boolean) => void
}

/** Functions that send a chat's message. */
export function useSend(chat: Chat, folder: string | undefined): Sending {
  const client = useClient()
  const queries = useQueryClient()
  const record = useRunRecord(chat)
  const key = composeKey(chat, folder)
  const view = chat.run?.view
  const warn = useWarn()

  // `work` returns true if the choices were sent with it.
  const attempt = useCallback(
    async (unsent: Unsent, takeBack: () => void, work: () => Promise<boolean>) => {
      if (composeOf(key).isSending) return
      changeCompose(key, { isSending: true, failure: undefined, problems: [] })
      try {
        const wereChoicesSent = await work()
        // Choices for new chats are kept; those for a run are now part of it.
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
    // Sending the typed message empties the box.
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
        // No process would read a message.
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

/** The request fields for the user's choices. Choosing another model accepts the change. */
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
