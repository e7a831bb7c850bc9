import { isA, peek } from './safe-access.ts'
import { backTo } from './character-boundary.ts'
import { plain } from './storable-text.ts'
import { printValue } from './print-value.ts'
import { Writer } from './limited-writer.ts'

/** What was thrown, in words. Anything can be thrown; this never throws. */
export function describeThrown(thrown: unknown): string {
  const text = plain(describe(thrown, new Set())).trim()
  const most = backTo(text, LONGEST)
  return text.length > most ? `${text.slice(0, most)}…` : text
}

const LONGEST = 4000

function describe(thrown: unknown, seen: Set<unknown>): string {
  if (typeof thrown === 'string' && thrown.trim() !== '') return thrown.slice(0, LONGEST + 1)
  if (typeof thrown !== 'object' || thrown === null) {
    const what = thrown === undefined ? 'undefined' : shown(thrown)
    return `${what} was thrown, without a reason.`
  }
  seen.add(thrown)
  return `${messageOf(thrown)}${because(thrown, seen)}`
}

function messageOf(thrown: object): string {
  const message = peek(thrown, 'message')
  if (typeof message === 'string' && message.trim() !== '') return message.slice(0, LONGEST + 1)
  const name = peek(thrown, 'name')
  return typeof name === 'string' && isA(thrown, Error)
    ? `${name} was thrown, without a message.`
    : `${shown(thrown)} was thrown.`
}

/** What led to it, as far as it is told and not too long. */
function because(thrown: object, seen: Set<unknown>): string {
  const cause = peek(thrown, 'cause')
  const errors = peek(thrown, 'errors')
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : []
  const inner = [cause, first].filter((each) => each !== undefined && !seen.has(each))
  if (inner.length === 0 || seen.size >= MAX_CAUSES) return ''
  return inner.map((each) => ` (because: ${describe(each, seen)})`).join('')
}

const MAX_CAUSES = 5

function shown(value: unknown): string {
  const out = new Writer(200)
  printValue(value, out)
  return out.text()
}
