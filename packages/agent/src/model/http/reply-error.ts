import { ModelError } from '../model-error.ts'
import { BodyError } from './read-text.ts'
import { GarbledReply, HtmlReply } from './garbled-reply.ts'
import { quoteServer, type ServerFacts } from './server-facts.ts'
import { StreamedError } from './read-objects.ts'
import { statusError } from './status-error.ts'
import { errorCode } from './unreachable.ts'

/** The error for a reply that could not be read: what came, and from where. Other errors stay as they are. */
export function explainReplyError(error: unknown, server: ServerFacts, maxBytes: number): unknown {
  const { name, endpoint } = server
  const invalid = (what: string): ModelError =>
    new ModelError('garbled', `${name} (${endpoint.display}) sent an invalid reply: ${what}.`)
  if (error instanceof StreamedError) {
    const { code } = error
    const status = typeof code === 'number' && code >= 400 && code < 600 ? code : 500
    return statusError({ status, message: error.message }, server)
  }
  if (error instanceof HtmlReply) {
    const page = quoteServer(error.message, server)
    return new ModelError(
      'garbled',
      `Expected the API of a model at ${endpoint.display}, got a web page, ${page}. Check the URL.`,
      { isLasting: true },
    )
  }
  if (error instanceof GarbledReply) return invalid(quoteServer(error.message, server))
  if (!(error instanceof BodyError)) return error
  if (error.problem === 'not_utf8') return invalid('it is not UTF-8')
  if (error.problem === 'too_long') {
    const message = `The reply of ${name} exceeds ${maxBytes} bytes and was cut off.`
    return new ModelError('too_long', message)
  }
  const code = errorCode(error.thrown)
  const message = `The connection to ${name} (${endpoint.display}) broke before the reply ended${code ? ` (${code})` : ''}. The server's log may say why.`
  return new ModelError('cut_off', message, { code })
}
