import type { CallPart, PromptItem } from '@toolglot/react/view'
import { createContext, use } from 'react'

/** The actions of conversation rows. The object never changes, so it causes no re-render. */
export interface ChatActions {
  /** Unfolds or folds a row. */
  readonly unfold: (key: string, isUnfolded: boolean) => void
  /** Shows the model's output of a turn. */
  readonly showTurn: (turn: number) => void
  /** Starts editing a message of the user; undefined stops editing. */
  readonly edit: (key: string | undefined) => void
  /** Replaces a message by another one, in a fork of the run. */
  readonly resend: (item: PromptItem, words: string, restoreFiles: boolean) => Promise<void>
  /** The maximum number of characters of a result that the model receives, if known. */
  readonly maxResult: () => number | undefined
  readonly findCall: (id: string) => CallPart | undefined
  /** Scrolls to a call. */
  readonly goToCall: (id: string) => void
}

/** Provides the actions to conversation rows. */
export const ChatActionsContext = createContext<ChatActions | undefined>(undefined)

/** The actions of conversation rows. */
export function useChatActions(): ChatActions {
  return use(ChatActionsContext)!
}
