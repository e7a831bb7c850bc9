import type { ToolDefinition } from '@toolglot/core'
import type { ExpectedCall } from '../call-problem.ts'

/** A small thing that a model is asked to do with a tool, to see how well it writes a dialect. */
export interface ProbeTask {
  /** One word for tables: `arguments`. */
  readonly name: string
  readonly tool: ToolDefinition
  readonly prompt: string
  readonly expected: ExpectedCall
  /** What the tool returns, and whether an answer uses it. Without it, the call is all that is wanted. */
  readonly answer?: { readonly result: string; readonly isUsedIn: (answer: string) => boolean }
}
