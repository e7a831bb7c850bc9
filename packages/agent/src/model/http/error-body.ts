/** The message and code of a server's error. */
export interface ErrorBody {
  readonly message: string
  readonly code?: string | number
}

/** Reads the error in a response body, however it is nested; undefined if there is none. */
export function readErrorBody(body: unknown): ErrorBody | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { error, message, detail, code, type } = body as Partial<Record<string, unknown>>
  if (typeof error === 'string' && error !== '') return { message: error }
  if (typeof error === 'object' && error !== null) return readErrorBody(error)
  const text = [message, detail].find((each) => typeof each === 'string' && each !== '')
  const name = [code, type].find((each) => typeof each === 'string' || typeof each === 'number')
  if (typeof text === 'string') {
    return { message: text, ...(name !== undefined && { code: name as string | number }) }
  }
  // A list of problems, one per field.
  return detail === undefined ? undefined : { message: JSON.stringify(detail).slice(0, 500) }
}
