import { BoundedMap } from '@toolglot/agent/adapter/internal'

/** Why a call may not be meant as it was read. */
export interface TrustFacts {
  /** The names of the repairs that were needed to read it. */
  readonly repairs?: string[]
  /** It was inside reasoning that never closed, or that nothing visible follows. */
  readonly inReasoning?: true
  /** It was inside a code fence or code span. */
  readonly fenced?: true
  /** It had no marks of its own: bare JSON, a bare function call. */
  readonly markerless?: true
  /** It began inside a block that could not be read. */
  readonly afterMalformed?: true
  /** It follows a tool result that the model made up. */
  readonly afterResult?: true
  /** It was written in another protocol than the selected one, or in none. */
  readonly otherProtocol?: true
}

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
