import type { RunEvent } from '@toolglot/agent'
import type { ChosenModel, RunSetup } from '@toolglot/workspace'
import type { RunFlags } from '../commands/run-flags.ts'
import type { PromptQueue } from '../person/prompt-queue.ts'
import type { RunView } from '../show/run/run-view.ts'
import type { Colors, Terminal } from '../terminal.ts'
import type { Person } from './person.ts'

type Usage = Extract<RunEvent, { type: 'run-end' }>['usage']

/** A conversation while it goes on: one run with many prompts. */
export interface Session {
  readonly terminal: Terminal
  readonly flags: RunFlags
  readonly setup: RunSetup
  readonly person: Person
  readonly view: RunView
  readonly promptQueue: PromptQueue
  readonly colors: Colors
  /** Told to end from outside. */
  readonly signal: AbortSignal
  chosen: ChosenModel
  /** The run, and whether the journal has it yet. */
  id: string
  isBegun: boolean
  /** The last turn did not come to an answer, so it can be gone on with. */
  isOpen: boolean
  /** What was brought along that a stranger may have written. */
  untrusted: readonly string[]
  /** Rules that the person said always to. */
  allowed: readonly string[]
  /** The person chose another model or protocol: what that changes need not be asked about. */
  hasChanged: boolean
  usage: Usage
}
