import { ModelError, type ModelProblem } from '@toolglot/agent'
import { GatewayError } from './gateway-error.ts'
import type { Prepared } from './prepare.ts'

/**
 * The errors for clients about a model's failure. The message and address of the model's server are
 * only logged, since they may contain secrets.
 */
const ANSWERS: Readonly<
  Record<ModelProblem, readonly [status: number, code: string, message: string]>
> = {
  unreachable: [502, 'upstream_unreachable', 'The server of the model cannot be reached.'],
  rate_limited: [429, 'upstream_rate_limited', 'The server of the model has too many requests.'],
  unavailable: [503, 'upstream_unavailable', 'The server of the model is overloaded or broken.'],
  refused: [502, 'upstream_refused', 'The server of the model rejected the request.'],
  cut_off: [502, 'upstream_cut_off', 'The reply of the model broke off.'],
  idle: [504, 'upstream_timeout', 'The model has sent nothing for too long.'],
  timeout: [504, 'upstream_timeout', 'The reply of the model took too long.'],
  garbled: [502, 'upstream_invalid', 'The server of the model sent an invalid reply.'],
  too_long: [502, 'upstream_too_long', 'The reply of the model is too long, and was cut off.'],
  context_overflow: [
    400,
    'context_length_exceeded',
    'The input exceeds the context window of the model: shorten the conversation, or send fewer tools.',
  ],
}

/** The error for a client. Unknown errors reveal nothing about their cause. */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof ModelError) {
    // Without a status, no server was involved: the model doesn't support part of the request, such
    // as an image.
    if (error.problem === 'refused' && error.status === undefined)
      return new GatewayError(400, 'unsupported', error.message, {
        summary: 'The model does not support this request.',
        cause: error,
      })
    const [status, code, message] = ANSWERS[error.problem]
    return new GatewayError(status, code, `${message} See the log of the gateway.`, {
      retryAfter: error.retryAfter,
      summary: message,
      cause: error,
    })
  }
  const message = 'The gateway failed. See its log.'
  return new GatewayError(500, 'internal_error', message, { summary: message, cause: error })
}

/**
 * The error for a request that exceeds the model's context window. Clients recognize it and shorten
 * the conversation; people can follow its advice.
 */
export function contextOverflow(
  { request, target, estimate }: Pick<Prepared, 'request' | 'target' | 'estimate'>,
  cause?: ModelError,
): GatewayError {
  const { contextTokens: maximum, contextAdvice = OTHER_ADVICE } = target.model
  const tokens = estimate()
  // An estimate that is too low explains nothing.
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

/** The facts about a model without a server request. */
const OTHER_ADVICE =
  'set it in the model\'s server, and set "contextTokens" of the model in the setting "gateway.models" to the same size.'
