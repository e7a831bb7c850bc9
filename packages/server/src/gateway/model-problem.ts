import { ModelError, type ModelProblem } from '@toolglot/agent'
import { GatewayError } from './gateway-error.ts'

/** How a model's failure is reported to a client. */
const ANSWERS: Readonly<Record<ModelProblem, readonly [status: number, code: string]>> = {
  unreachable: [502, 'upstream_unreachable'],
  rate_limited: [429, 'upstream_rate_limited'],
  unavailable: [503, 'upstream_unavailable'],
  refused: [502, 'upstream_refused'],
  cut_off: [502, 'upstream_cut_off'],
  idle: [504, 'upstream_timeout'],
  timeout: [504, 'upstream_timeout'],
  garbled: [502, 'upstream_invalid'],
  too_long: [502, 'upstream_too_long'],
  context_overflow: [400, 'context_length_exceeded'],
}

/** The error for a client, whatever went wrong. Unknown errors say nothing about their cause. */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof ModelError) {
    const [status, code] = ANSWERS[error.problem]
    return new GatewayError(status, code, error.message, {
      retryAfter: error.retryAfter,
      cause: error,
    })
  }
  return new GatewayError(500, 'internal_error', 'The gateway failed. Its log says why.', {
    cause: error,
  })
}
