import { ModelError } from '../../model/model-error.ts'
import { plainLine } from '../../model/plain-line.ts'

/** A selector of a site file that does not work. */
export class SelectorError extends ModelError {
  /** The field of the site file. */
  readonly field: string

  constructor(field: string, message: string) {
    super('refused', message)
    this.field = field
  }
}

/** The error for a selector that matches no usable element. */
export function missing(field: string, selector: string, what = 'an element'): SelectorError {
  return new SelectorError(
    field,
    `${field} (${plainLine(selector, 100)}) does not match ${what}. The page may have changed: correct ${field} in the site file, and try it with: toolglot site FILE`,
  )
}

/** The error for a page that was reloaded during a reply. */
export function reloaded(name: string): ModelError {
  return new ModelError(
    'cut_off',
    `The page of ${name} was reloaded before the reply ended. The conversation will be resent in a new chat.`,
  )
}

/** Converts an error of Playwright. Keeps only the first line of its message, without addresses. */
export function pageError(thrown: unknown, name: string): unknown {
  if (thrown instanceof ModelError || thrown instanceof TypeError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  if (isGone(message))
    return new ModelError(
      'cut_off',
      `The browser of ${name} was closed or crashed before the reply ended. The next request reopens it.`,
    )
  const [code] = /net::ERR_\w+/.exec(message) ?? []
  if (code !== undefined)
    return new ModelError(
      'unreachable',
      `Cannot open the page of ${name} (${code}): check the address in the site file, and the network.`,
      { code },
    )
  const line = plainLine(message.replace(/https?:\/\/\S+/g, '…'))
  return new ModelError('unavailable', `The page of ${name} failed: ${line}`)
}

/**
 * The error for an HTTP status, with the name of its sender, and with advice if waiting does not
 * help.
 */
export function statusError(
  what: string,
  status: number,
  {
    retryAfter,
    later,
    advice,
  }: { readonly retryAfter: number; readonly later: string; readonly advice: string },
): ModelError {
  const said = `${what} with status ${status}`
  if (status === 429)
    return new ModelError('rate_limited', `${said}. Wait, then resume the run.`, {
      status,
      retryAfter,
    })
  if (status >= 500) return new ModelError('unavailable', said + later, { status })
  return new ModelError('refused', said + advice, { status })
}

/** True if an error means that the tab or the browser was closed. */
export function isGone(message: string): boolean {
  return /has been closed|Target closed|Target crashed|Page crashed|Browser closed|browser has disconnected|Connection closed/i.test(
    message,
  )
}

/** True if an error is a timeout of Playwright. */
export function isTimeout(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'TimeoutError'
}

/** An address without the parts that may be secret. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return plainLine(address, 100)
  const { origin, pathname } = new URL(address)
  return plainLine(origin === 'null' ? address : origin + pathname, 100)
}
