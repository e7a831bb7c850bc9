import { HttpError } from './http-error.ts'

/**
 * The token in `Authorization: Bearer` or `x-api-key`; undefined without one, and empty if the header holds something else.
 * Throws an HttpError if there are several.
 */
export function presentedToken(headers: Headers): string | undefined {
  const authorization = headers.get('authorization')
  const key = headers.get('x-api-key')
  // A header that was sent twice reads "one, other". No token contains a comma.
  if (authorization?.includes(',') || key?.includes(',')) throw severalTokens()
  const bearer = authorization === null ? undefined : bearerOf(authorization)
  if (bearer !== undefined && key !== null && bearer !== key) throw severalTokens()
  return bearer ?? key ?? undefined
}

function bearerOf(authorization: string): string {
  const scheme = 'bearer '
  return authorization.slice(0, scheme.length).toLowerCase() === scheme
    ? authorization.slice(scheme.length)
    : ''
}

function severalTokens(): HttpError {
  return new HttpError(
    'several_tokens',
    'The request has more than one token. Send one, in Authorization or in x-api-key.',
  )
}
