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

/** The error for a selector that matches nothing usable. */
export function missing(field: string, selector: string, what = 'an element'): SelectorError {
  return new SelectorError(
    field,
    `${field} (${plainLine(selector, 100)}) does not match ${what}. The page may have changed: correct ${field} in the site file, and try it with: toolglot site FILE`,
  )
}

/** The error for a reply whose page was loaded again. */
export function reloaded(name: string): ModelError {
  return new ModelError(
    'cut_off',
    `The page of ${name} was loaded again before the reply ended. The conversation is sent again in a new chat.`,
  )
}

/** Converts an error of Playwright. Of its message, only the first line is kept, without addresses. */
export function pageError(thrown: unknown, name: string): unknown {
  if (thrown instanceof ModelError || thrown instanceof TypeError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  if (isGone(message))
    return new ModelError(
      'cut_off',
      `The browser of ${name} was closed or crashed before the reply ended. It is opened again when the model is asked again.`,
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

/** The error for a status, with its sender, and with advice if waiting does not help. */
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
    return new ModelError('rate_limited', `${said}. Wait, and resume the run.`, {
      status,
      retryAfter,
    })
  if (status >= 500) return new ModelError('unavailable', said + later, { status })
  return new ModelError('refused', said + advice, { status })
}

/** Whether something failed because the tab or the browser is gone. */
export function isGone(message: string): boolean {
  return /has been closed|Target closed|Target crashed|Page crashed|Browser closed|browser has disconnected|Connection closed/i.test(
    message,
  )
}

/** Whether a wait of Playwright timed out. */
export function isTimeout(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'TimeoutError'
}

/** An address without its possibly secret parts. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return plainLine(address, 100)
  const { origin, pathname } = new URL(address)
  return plainLine(origin === 'null' ? address : origin + pathname, 100)
}
