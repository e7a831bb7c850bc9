// Folder: Events folded into a view, without React.
export { createFold, type Fold } from './fold.ts'
export {
  type CallApproval,
  type CallPart,
  type CallQuestion,
  type CallState,
  callState,
  type Item,
  type MadeUpPart,
  type MalformedPart,
  type NoticeItem,
  type Part,
  type PromptItem,
  type RunEnd,
  type RunStart,
  type RunView,
  type TextPart,
  type TurnItem,
} from './run-view.ts'
export {
  type PromptToSend,
  resendPrompt,
  type RunRequest,
  sendPrompt,
  type SentPrompt,
} from './send-prompt.ts'
export { type Watched, type WatchedRun, watchRun, type WatchOptions } from './watch-run.ts'
export { type WatchedPending, watchPending } from './watch-pending.ts'
export { type Watchers, watchersOf } from './watchers.ts'
