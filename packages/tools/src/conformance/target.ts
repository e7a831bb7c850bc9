import type { Answers, ExecuteResult } from '@toolglot/agent'
import type { Storage } from '../host/storage.ts'

/** Where the tools work: over a host, or offered to another agent. */
export interface ConformanceTarget {
  /** What it does not have, and why. */
  readonly lacks?: Partial<Readonly<Record<Feature, string>>>
  open(options: SessionOptions): Promise<ToolSession>
}

/** What not every platform has: a person to ask, something that knows TypeScript. */
export type Feature = 'ask' | 'language'

export interface SessionOptions {
  /** The workspace, a real folder on this machine. */
  readonly root: string
  /** A folder for what the platform keeps. It may have been used by a session before. */
  readonly state: string
  /** The rules that hold, as settings say them. Nobody is there to approve what they do not allow. */
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly ask?: readonly string[]
  /** What the person says when asked. */
  readonly answers?: Answers
  /** The address of a SearXNG server. */
  readonly search?: string
}

/** The tools, ready to be called. */
export interface ToolSession {
  /** What its calls belong to, if to anything. */
  readonly run?: string
  readonly storage: Storage
  /** Makes a call as a model does: checked, and run only where the rules allow it. */
  readonly call: (
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ) => Promise<ExecuteResult>
  readonly close: () => Promise<void>
}
