import { ApiError } from '@toolglot/server/client'

/** What went wrong, in the server's words. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    const { problems, detail } = error
    return problems.length > 0 ? problems.map(({ problem }) => problem).join('; ') : detail
  }
  return error instanceof Error ? error.message : String(error)
}
