import { isInstance, safeGet } from './safe-access.ts'
import { boundaryAtOrBefore } from './cut-result.ts'
import { toStorableText, printValue, LimitedWriter } from './print-value.ts'

/** Describes any thrown value. Never throws itself. */
export function describeThrown(thrown: unknown): string {
  const text = toStorableText(describe(thrown, new Set())).trim()
  const end = boundaryAtOrBefore(text, MAX_LENGTH)
  return text.length > end ? `${text.slice(0, end)}…` : text
}

const MAX_LENGTH = 4000

function describe(thrown: unknown, seen: Set<unknown>): string {
  if (typeof thrown === 'string' && thrown.trim() !== '') return thrown.slice(0, MAX_LENGTH + 1)
  if (typeof thrown !== 'object' || thrown === null) {
    const what = thrown === undefined ? 'undefined' : shown(thrown)
    return `${what} was thrown without a reason.`
  }
  seen.add(thrown)
  return `${messageOf(thrown)}${causesOf(thrown, seen)}`
}

function messageOf(thrown: object): string {
  const message = safeGet(thrown, 'message')
  if (typeof message === 'string' && message.trim() !== '') return message.slice(0, MAX_LENGTH + 1)
  const name = safeGet(thrown, 'name')
  return typeof name === 'string' && isInstance(thrown, Error)
    ? `${name} was thrown without a message.`
    : `${shown(thrown)} was thrown.`
}

/** Describes the causes of an error, up to a maximum number. */
function causesOf(thrown: object, seen: Set<unknown>): string {
  const cause = safeGet(thrown, 'cause')
  const errors = safeGet(thrown, 'errors')
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : []
  const inner = [cause, first].filter((each) => each !== undefined && !seen.has(each))
  if (inner.length === 0 || seen.size >= MAX_CAUSES) return ''
  return inner.map((each) => ` (because: ${describe(each, seen)})`).join('')
}

const MAX_CAUSES = 5

function shown(value: unknown): string {
  const out = new LimitedWriter(200)
  printValue(value, out)
  return out.text()
}
