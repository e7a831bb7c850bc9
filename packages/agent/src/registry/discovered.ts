import type { Schema } from '@toolglot/core'

/** A toolkit as one finds it. */
export interface DiscoveredToolkit {
  readonly toolId: string
  /** For people. */
  readonly toolName: string
  readonly methods: readonly DiscoveredMethod[]
}

export interface DiscoveredMethod {
  readonly name: string
  /** What a call must be named. */
  readonly call: string
  readonly description: string
  readonly parameters: Schema
  readonly agentCallable: boolean
  /** Whether it is switched on. */
  readonly enabled: boolean
}

export type MethodFilter = (method: DiscoveredMethod) => boolean
