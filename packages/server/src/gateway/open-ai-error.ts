import type { ApiError } from './api.ts'

/** An error as OpenAI's clients read it. */
export function openAiError({ status, code, message, parameter }: ApiError): object {
  return { error: { message, type: typeOf(status), param: parameter ?? null, code } }
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}
