import type { Answers, ExecuteResult } from '@toolglot/agent'
import type { Storage } from '../host/storage.ts'

/** Something that runs the tools: a host, or an integration into another agent. */
export interface ConformanceTarget {
  /** The features it does not have, and why. */
  readonly lacks?: Partial<Readonly<Record<Feature, string>>>
  open(options: SessionOptions): Promise<ToolSession>
}

/** Features that not every target has: a user to ask, a language server for TypeScript. */
export type Feature = 'ask' | 'language'

/** How to open a session. */
export interface SessionOptions {
  /** The workspace, a real folder on this machine. */
  readonly root: string
  /** A folder for stored data, possibly used by an earlier session. */
  readonly state: string
  /** The permission rules, as in settings. Nobody approves what they do not allow. */
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly ask?: readonly string[] | undefined
  /** The user's answers. */
  readonly answers?: Answers | undefined
  /** The URL of a SearXNG server. */
  readonly search?: string | undefined
}

/** The tools, ready to be called. */
export interface ToolSession {
  /** The run that its calls belong to, if any. */
  readonly run?: string
  readonly storage: Storage
  /** Makes a call as a model does: validated, and run only if the rules allow it. */
  readonly call: (
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ) => Promise<ExecuteResult>
  readonly close: () => Promise<void>
}
