import { readWholeText } from './read-text.ts'

/** The response is not a valid reply. The caller adds the name of the server. */
export class GarbledReply extends Error {}

/** The response is a web page, so there is no API at this address and a retry would not help. */
export class HtmlReply extends Error {
  constructor(html: string) {
    const title = /<title[^>]{0,200}>([^<]{1,200})/i.exec(html.slice(0, 10_000))?.[1]?.trim()
    super(title === undefined ? `one that starts with ${html}` : `titled "${title}"`)
  }
}

/** An error that a server reported inside a stream. */
export class StreamedError extends Error {
  readonly code: string | number | undefined

  constructor(body: ErrorBody) {
    super(errorText(body))
    this.code = body.code
  }
}

interface ErrorBody {
  readonly message: string
  readonly code?: string | number | undefined
}

/**
 * Reads the error in a response body, however deeply nested. Undefined if the body contains no
 * error.
 */
export function readErrorBody(body: unknown): ErrorBody | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { error, message, detail, code, type } = body as Partial<Record<string, unknown>>
  if (typeof error === 'string' && error !== '') return { message: error }
  if (typeof error === 'object' && error !== null) return readErrorBody(error)
  const text = [message, detail].find((each) => typeof each === 'string' && each !== '')
  const name = [code, type].find((each) => typeof each === 'string' || typeof each === 'number')
  if (typeof text === 'string') return { message: text, code: name }
  // A list of problems with individual fields.
  return detail === undefined ? undefined : { message: JSON.stringify(detail).slice(0, 500) }
}

function errorText({ message, code = '' }: ErrorBody): string {
  return `${message} ${code}`.trim()
}

/** The message of an error response, or its whole body if it contains no message. */
export async function errorTextOf(response: Response): Promise<string> {
  try {
    const text = await readWholeText(response, 64 << 10)
    try {
      const error = readErrorBody(JSON.parse(text))
      return error ? errorText(error) : text
    } catch {
      // The body is not JSON: the page of a proxy, or an empty body.
      return text
    }
  } catch {
    // The body is too long, broken or not text, so only the status is known.
    return ''
  }
}
