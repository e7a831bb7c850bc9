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
  /** The flags of the command line, updated by later choices. */
  flags: RunFlags
  readonly setup: RunSetup
  readonly person: Person
  readonly view: RunView
  readonly promptQueue: PromptQueue
  readonly colors: Colors
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal
  chosen: ChosenModel
  /** The id of the run, even before the journal contains it. */
  id: string
  isRecorded: boolean
  /** True if the last turn ended without an answer, so it can be resumed. */
  isUnfinished: boolean
  /** Text in the prompts that comes from untrusted sources, such as mentioned files. */
  untrusted: readonly string[]
  /** The next prompt starts the run as a copy of another one. */
  fork: Fork | undefined
  /**
   * The text that the user typed, by the prompt that was sent, which also contains the mentioned
   * files.
   */
  readonly typed: Map<string, string>
  /** True if the user chose another model or protocol, so the change needs no confirmation. */
  choseAnotherModel: boolean
  usage: Usage
  /** The tokens of the last prompt and its reply: the used part of the context. */
  usedTokens: number
}

/** The source of a chat's prompts: a user at a terminal, or piped lines. */
export interface Person {
  /** Puts text in the next prompt, to be edited. */
  suggest(text: string): void
  /** The next prompt or command; undefined when the user leaves. */
  next(status: string): Promise<string | undefined>
  /** For questions during a turn. Undefined if there is no user to ask. */
  readonly keyboard: Keyboard | undefined
  /**
   * Runs an operation that the user can stop. The result contains `leaves` if the user also wants
   * to leave the chat.
   */
  during<Value>(
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<{ readonly value: Value; readonly leaves: boolean }>
  /** Prints text unchanged. */
  show(text: string): void
  close(): void
}
