import { collectReply, createParser } from '@toolglot/core'
import { isDeepStrictEqual } from 'node:util'
import { TooSlow } from './race.mjs'

/** @typedef {import('./readers/reader.mjs').Reader} Reader */
/** @typedef {import('./texts.mjs').Text} Text */

/**
 * The problem with a reader's result, if any; `late`: checking takes too long.
 *
 * @param {Text} text
 * @param {() => unknown} run
 * @returns {Promise<{ problem?: string, late?: true }>}
 */
export async function judge({ args }, run) {
  try {
    return isDeepStrictEqual(await run(), args) ? {} : { problem: 'wrong arguments' }
  } catch (error) {
    return error instanceof TooSlow ? { late: true } : { problem: String(error) }
  }
}

/**
 * The problem with our own result, including text, calls and deltas.
 *
 * @param {Text} text
 * @param {readonly string[]} chunks
 * @param {import('@toolglot/core').ParserOptions} options
 */
export function ourProblem({ text, args }, chunks, options) {
  const parser = createParser(options)
  const events = [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end()]
  const reply = collectReply(events)
  const [call] = reply.calls
  const deltas = events.flatMap((event) => (event.type === 'call-delta' ? [event.delta] : []))

  if (reply.text !== text) return 'wrong text'
  if (reply.calls.length !== 1 || !call?.complete) return 'not one complete call'
  if (call.repairs.length > 0) return `repairs: ${call.repairs.join(', ')}`
  if (!isDeepStrictEqual(call.args, args)) return 'wrong arguments'
  if (!isDeepStrictEqual(JSON.parse(deltas.join('')), args)) return 'wrong deltas'
  return undefined
}
