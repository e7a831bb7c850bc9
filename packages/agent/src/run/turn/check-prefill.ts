import { createParser, explain, parse, type ToolDefinition } from '@toolglot/core'
import type { CallFormat } from './call-format.ts'

/** Whether a reply that begins in this way makes a call. */
export function beginsCall(prefill: string, { parserOptions }: CallFormat): boolean {
  const { segments } = parse(prefill, { ...parserOptions, finish: 'length' })
  return segments.some(({ type }) => type === 'call' || type === 'malformed')
}

/** Throws if a reply that begins in this way could not be read: it is in another protocol, or its call is already over. */
export function checkPrefill(
  prefill: string | undefined,
  { protocol, toolsIn }: Pick<CallFormat, 'protocol' | 'toolsIn'>,
  tools: readonly ToolDefinition[],
): void {
  if (prefill === undefined || prefill === '') return
  if (toolsIn === 'request' && tools.length > 0)
    throw new TypeError(
      "Expected no prefill: a server that is sent the tools begins its replies itself. Leave it out, or describe the tools in the prompt (toolsIn: 'prompt').",
    )
  if (!protocol) return
  // The reply is not over: only what no continuation can change counts.
  for (const event of createParser({ protocols: protocol }).feed(prefill)) {
    if (event.type === 'call-end')
      throw new TypeError(
        'Expected prefill to be the beginning of a reply, got a whole call: run it with `cycle` instead.',
      )
    if (event.type === 'malformed')
      throw new TypeError(
        `Expected prefill to begin a call in ${protocol.id}, got a malformed one: ${event.hint}`,
      )
  }
  const [own] = explain(prefill, { protocols: protocol })
  const [other] =
    own!.opened > 0 ? [] : explain(prefill.slice(0, LOOKED_AT)).filter(({ opened }) => opened > 0)
  if (other)
    throw new TypeError(
      `Expected prefill to be in the protocol ${protocol.id}, got the beginning of a call in ${other.protocol}: ${JSON.stringify(prefill.slice(0, 60))}.`,
    )
}

/** How much of a prefill every protocol is tried on, in characters. */
const LOOKED_AT = 2000
