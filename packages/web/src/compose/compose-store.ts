import type { Limits } from '@toolglot/agent'
import type { Chat } from '@toolglot/react'
import { useCallback, useSyncExternalStore } from 'react'
import type { AttachedFile, AttachProblem } from './attachments.ts'
import { readStored, writeStored } from '../app/stored.ts'
import { type Choices, readChoices, writeChoices } from './choices.ts'
import { readSent, type SentMessage, writeSent } from './sent-messages.ts'

/** The message being written in a chat, and the result of the last attempt to send it. */
export interface Compose {
  readonly text: string
  readonly files: readonly AttachedFile[]
  readonly choices: Choices
  readonly isSending: boolean
  readonly failure: SendFailure | undefined
  /** Problems with attachments or sending. */
  readonly problems: readonly AttachProblem[]
  /** Messages sent to the run while it worked. */
  readonly sent: readonly SentMessage[]
  /** The picker that is open. */
  readonly picker: 'model' | 'protocol' | 'mode' | undefined
}

/** Why something was not sent. */
export interface SendFailure {
  readonly error: Error
  readonly unsent: Unsent
}

/** The unsent request: a message (without a text: the typed one), or the continuation of a run. */
export type Unsent =
  | { readonly type: 'message'; readonly text: string | undefined }
  | { readonly type: 'resume'; readonly limits: Partial<Limits> | undefined }

/** Changes some fields. */
export type ChangeCompose = (
  change: Partial<Compose> | ((before: Compose) => Partial<Compose>),
) => void

const DRAFT = 'toolglot-draft:'
const SENT = 'toolglot-sent:'
const CHOICES = 'toolglot-choices'
const NEW = 'new:'

const states = new Map<string, Compose>()
const listeners = new Set<() => void>()

/** The key of a chat in the store: that of its run, or of its folder if the chat is new. */
export function composeKey(chat: Pick<Chat, 'run'>, folder: string | undefined): string {
  return chat.run ? chat.run.view.run : newChatKey(folder)
}

/** The key of a new chat in a folder. */
export function newChatKey(folder: string | undefined): string {
  return NEW + (folder ?? '')
}

/** True if a key in the store is that of a new chat. */
export function isNewChat(key: string): boolean {
  return key.startsWith(NEW)
}

/** The current message of a chat. */
export function composeOf(key: string): Compose {
  let state = states.get(key)
  if (!state) states.set(key, (state = stored(key)))
  return state
}

/** Updates the message of a chat. Drafts, choices and sent messages outlive the page. */
export function changeCompose(key: string, change: Parameters<ChangeCompose>[0]): void {
  const before = composeOf(key)
  const state = { ...before, ...(typeof change === 'function' ? change(before) : change) }
  states.set(key, state)
  if (state.text !== before.text) writeStored(DRAFT + key, state.text || undefined, 'tab')
  if (state.sent !== before.sent) writeStored(SENT + key, writeSent(state.sent), 'tab')
  if (state.choices !== before.choices && isNewChat(key)) {
    const others = readStored(CHOICES)
    const choices = writeChoices(others, key.slice(NEW.length), state.choices)
    writeStored(CHOICES, choices)
  }
  for (const listener of listeners) listener()
}

/** The message being written in a chat. Several parts of the page show and change it. */
export function useCompose(key: string): readonly [Compose, ChangeCompose] {
  const state = useSyncExternalStore(subscribe, () => composeOf(key))
  const change = useCallback<ChangeCompose>((next) => changeCompose(key, next), [key])
  return [state, change]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function stored(key: string): Compose {
  return {
    text: readStored(DRAFT + key, 'tab') ?? '',
    files: [],
    choices: isNewChat(key) ? readChoices(readStored(CHOICES), key.slice(NEW.length)) : {},
    isSending: false,
    failure: undefined,
    problems: [],
    sent: readSent(readStored(SENT + key, 'tab')),
    picker: undefined,
  }
}
