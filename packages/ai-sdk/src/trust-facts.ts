import type { Call } from '@toolglot/core'
import { BoundedMap } from '@toolglot/agent/adapter/internal'

/** Why a call may not be meant as it was read. */
export interface TrustFacts extends Pick<Call, Fact> {
  /** The names of the repairs that were needed to read it. */
  readonly repairs?: string[]
}

type Fact =
  | 'inReasoning'
  | 'fenced'
  | 'markerless'
  | 'afterMalformed'
  | 'afterResult'
  | 'otherProtocol'

/** A call, as the AI SDK gives it to `needsApproval` and `execute`. */
export interface AskedCall {
  readonly toolCallId: string
  /** The conversation. After an approval it contains the call, with the facts, even if another process made it. */
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** The facts of the latest calls, by their ids. The AI SDK asks about a call before it shows its metadata to anyone. */
const latest = new BoundedMap<TrustFacts>(10_000)

/** Remembers the facts of a call that is about to be handed out. */
export function rememberTrustFacts(toolCallId: string, facts: TrustFacts): void {
  latest.set(toolCallId, facts, 1)
}

/**
 * Why a call of a model with `toolglot()` may not be meant as it was read; undefined if it was plainly written. For
 * `needsApproval: (_input, call) => trustFacts(call) !== undefined`.
 */
export function trustFacts({ toolCallId, messages }: AskedCall): TrustFacts | undefined {
  const facts = latest.get(toolCallId)
  if (facts) return facts
  for (const { role, content } of messages) {
    if (role !== 'assistant' || !Array.isArray(content)) continue
    for (const part of content as readonly ToolCallPart[])
      if (part.type === 'tool-call' && part.toolCallId === toolCallId)
        return part.providerOptions?.toolglot
  }
  return undefined
}

interface ToolCallPart {
  readonly type: string
  readonly toolCallId?: string
  readonly providerOptions?: { readonly toolglot?: TrustFacts }
}
