import { ModelError, type ModelProblem } from '@toolglot/agent'
import { GatewayError } from './gateway-error.ts'

/**
 * How a model's failure is reported to a client. What the model's server said, and where it is, is for the log only: it may
 * contain anything.
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

/** The error for a client, whatever went wrong. Unknown errors say nothing about their cause. */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof ModelError) {
    // Without a status, no server was asked: the model cannot do what the request says, such as read an image.
    if (error.problem === 'refused' && error.status === undefined)
      return new GatewayError(400, 'unsupported', error.message, {
        summary: 'The model cannot do what the request asks for.',
        cause: error,
      })
    const [status, code, message] = ANSWERS[error.problem]
    return new GatewayError(status, code, `${message} The log of the gateway says more.`, {
      retryAfter: error.retryAfter,
      summary: message,
      cause: error,
    })
  }
  const message = 'The gateway failed. Its log says why.'
  return new GatewayError(500, 'internal_error', message, { summary: message, cause: error })
}
