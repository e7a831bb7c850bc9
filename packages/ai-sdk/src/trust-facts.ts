import type { Call } from '@toolglot/core'
import { BoundedMap } from '@toolglot/agent/adapter/internal'

/** Reasons why a call may not be intended. */
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

/** A call as the AI SDK passes it to `needsApproval` and `execute`. */
export interface AskedCall {
  readonly toolCallId: string
  /**
   * The conversation. After an approval it contains the call and the facts about it, even if
   * another process created it.
   */
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/**
 * The facts about the latest calls, by their ids. The AI SDK needs them before it exposes a call's
 * metadata.
 */
const latest = new BoundedMap<TrustFacts>(10_000)

/** Stores the facts about a call before the call is returned. */
export function rememberTrustFacts(toolCallId: string, facts: TrustFacts): void {
  latest.set(toolCallId, facts, 1)
}

/**
 * The reasons why a call from a model with `toolglot()` may not be intended, or undefined if there
 * are none. For `needsApproval: (_input, call) => trustFacts(call) !== undefined`.
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
