import type { Message } from '../context/message.ts'
import type { Model } from '../model/model.ts'
import type { Usage } from '../model/usage.ts'
import type { Permissions } from '../permission/decide.ts'
import type { World } from '../permission/world.ts'
import type { Registry } from '../registry/registry.ts'
import type { Happening } from './event.ts'
import type { Limits } from './limits.ts'
import type { RunOptions } from './options.ts'
import type { ToolOutcome } from './outcome.ts'
import type { Repeats } from './repeats.ts'
import type { Speech } from './speech.ts'
import type { Steps } from './steps.ts'

/** A run while it goes on. What changes can be told from what is recorded. */
export interface State {
  readonly id: string
  readonly options: RunOptions
  readonly model: Model
  readonly limits: Limits
  readonly registry: Registry
  readonly speech: Speech
  readonly world: World
  readonly steps: Steps
  readonly signal: AbortSignal
  readonly emit: (event: Happening) => void
  repeats: Repeats
  /** Grows by what a person allows for the rest of the run. */
  permissions: Permissions
  messages: readonly Message[]
  /** By the id of the call. */
  readonly outcomes: Map<string, ToolOutcome>
  /** Since the last prompt. */
  toolCalls: number
  usage: Usage
  /** What the model said last. */
  text: string
  /** Calls of turns before this one that were not run are not run any more. */
  abandoned: number
}
