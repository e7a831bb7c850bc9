import type { Outcome } from './execute.ts'
import { networkCodeOf } from './network-error.ts'
import { type ErrorType, ToolError, type ToolFailure } from './tool-error.ts'

/** What was thrown, as an outcome. It reads whatever that is, and never throws itself. */
export function failed(tool: string, error: unknown): Outcome {
  const [type, message, details] = describe(error)
  return {
    status: 'error',
    failure: { tool, error_type: type, message, ...(details && { details }) },
  }
}

function describe(error: unknown): [ErrorType, string, ToolFailure['details']] {
  try {
    if (error instanceof ToolError) return [error.errorType, error.message, error.details]
    const message = error instanceof Error ? String(error.message) : String(error)
    const network = networkCodeOf(error)
    const details = network === undefined ? { code: 'internal' } : { code: 'network', network }
    return ['execution_failed', message, details]
  } catch {
    return ['execution_failed', 'It threw something that cannot be read.', { code: 'internal' }]
  }
}
