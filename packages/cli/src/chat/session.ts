import type { RunEvent } from '@toolglot/agent'
import type { ChosenModel, RunSetup } from '@toolglot/workspace'
import type { RunFlags } from '../commands/run-flags.ts'
import type { PromptQueue, Keyboard } from '../person/keyboard.ts'
import type { Fork } from '../run/fork.ts'
import type { RunView } from '../show/run/run-view.ts'
import type { Colors, Terminal } from '../terminal.ts'

type Usage = Extract<RunEvent, { type: 'run-end' }>['usage']

/** A running conversation: one run with many prompts. */
export interface Session {
  readonly terminal: Terminal
  /** The flags of the command line, with later choices. */
  flags: RunFlags
  readonly setup: RunSetup
  readonly person: Person
  readonly view: RunView
  readonly promptQueue: PromptQueue
  readonly colors: Colors
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal
  chosen: ChosenModel
  /** The run's id, and whether the journal has the run yet. */
  id: string
  isRecorded: boolean
  /** The last turn ended without an answer, so it can be resumed. */
  isUnfinished: boolean
  /** Texts in the prompts that others may have written, such as mentioned files. */
  untrusted: readonly string[]
  /** The next prompt starts the run as a copy of another one. */
  fork: Fork | undefined
  /** The user's text, by the prompt that was sent, which also contains the mentioned files. */
  readonly typed: Map<string, string>
  /** The user chose another model or protocol, so the change needs no confirmation. */
  choseAnotherModel: boolean
  usage: Usage
  /** The tokens of the last prompt and its reply: so much of the context is in use. */
  usedTokens: number
}

/** Where a chat's prompts come from: a user at a terminal, or lines that are piped in. */
export interface Person {
  /** Puts text into the next prompt, to be edited. */
  suggest(text: string): void
  /** The next prompt or command; undefined once they leave. */
  next(status: string): Promise<string | undefined>
  /** For questions during a turn; undefined if there is no one to ask. */
  readonly keyboard: Keyboard | undefined
  /** Does work that they can stop. `leaves`: they also want to leave the chat. */
  during<Value>(
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<{ readonly value: Value; readonly leaves: boolean }>
  /** Prints text, as it is. */
  show(text: string): void
  close(): void
}
