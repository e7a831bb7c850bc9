import type { CallPart, PromptItem } from '@toolglot/react/view'
import { createContext, use } from 'react'

/** The actions of rows of the conversation. They never change, so nothing is drawn again because of them. */
export interface ChatActions {
  /** Unfolds or folds a row. */
  readonly unfold: (key: string, isUnfolded: boolean) => void
  /** Shows what the model wrote in a turn. */
  readonly showTurn: (turn: number) => void
  /** Begins to edit a message of the person, or stops. */
  readonly edit: (key: string | undefined) => void
  /** Replaces a message by another one, in a copy of the run. */
  readonly resend: (item: PromptItem, words: string, restoreFiles: boolean) => Promise<void>
  /** How many characters of a result the model gets, if that is known. */
  readonly maxResult: () => number | undefined
  readonly findCall: (id: string) => CallPart | undefined
  /** Scrolls to a call. */
  readonly goToCall: (id: string) => void
}

/** Gives rows of the conversation what they can do. */
export const ChatActionsContext = createContext<ChatActions | undefined>(undefined)

/** The actions of rows of the conversation. */
export function useChatActions(): ChatActions {
  return use(ChatActionsContext)!
}
