import { readWholeText } from './read-text.ts'
import { readErrorBody } from './error-body.ts'

/** The message of an error response, or its body if it has none. */
export async function errorTextOf(response: Response): Promise<string> {
  try {
    const text = await readWholeText(response, 64 << 10)
    try {
      const error = readErrorBody(JSON.parse(text))
      return error ? `${error.message} ${error.code ?? ''}`.trim() : text
    } catch {
      // Not JSON: a proxy's page, or empty.
      return text
    }
  } catch {
    // Too long, broken or not text: the status has to suffice.
    return ''
  }
}
