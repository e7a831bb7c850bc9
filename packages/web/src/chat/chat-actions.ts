import type { CallPart, PromptItem } from '@toolglot/react/view'
import { createContext, use } from 'react'

/** What rows of the conversation can do. It never changes, so that nothing is drawn again because of it. */
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

/** What rows of the conversation can do. */
export function useChatActions(): ChatActions {
  return use(ChatActionsContext)!
}
