import type { ModelError } from '@toolglot/agent'
import { GatewayError } from './gateway-error.ts'
import type { Prepared } from './prepare.ts'

/**
 * The error for a request that does not fit into the context of its model: what clients recognize, so that they shorten the
 * conversation, and what people can do.
 */
export function contextOverflow(
  { request, target, estimate }: Pick<Prepared, 'request' | 'target' | 'estimate'>,
  cause?: ModelError,
): GatewayError {
  const { contextTokens: maximum, contextAdvice = OTHER_ADVICE } = target.model
  const tokens = estimate()
  // If the estimate is too low, it explains nothing.
  const overflow = maximum !== undefined && tokens > maximum ? { tokens, maximum } : undefined
  const counts = overflow
    ? `: the maximum context length is ${overflow.maximum} tokens, and the messages and tools have about ${tokens} tokens`
    : ''
  const what = `The input exceeds the context window of the model${counts}.`
  const advice = `Shorten the conversation, or send fewer tools. Or give the model a larger context, where the gateway runs: ${contextAdvice}`
  return new GatewayError(400, 'context_length_exceeded', `${what} ${advice}`, {
    parameter: request.conversationIn,
    summary: what,
    overflow,
    cause,
  })
}

/** What is known of a model whose server was not asked. */
const OTHER_ADVICE =
  'set it in the model\'s server, and say how large it is: "contextTokens" of the model in the setting "gateway.models".'
