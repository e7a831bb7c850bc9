import { isDeepStrictEqual } from 'node:util'

/** @typedef {import('./vectors.mjs').Expected} Expected */

/**
 * A reader's result for one reply.
 *
 * @typedef {object} Reading
 * @property {{ name: string, arguments: unknown }[]} calls
 * @property {string} text
 *
 * One reader's readings of one reply; undefined if it failed or took too long.
 * @typedef {{ whole: Reading | undefined, characters: Reading | undefined }} Readings
 */

/**
 * Which parts of the reply a reader parsed correctly.
 *
 * @typedef {object} Verdict
 * @property {boolean} calls
 * @property {boolean} streamed the calls, read in single characters
 * @property {boolean | undefined} text undefined: the expected text is unknown
 * @property {boolean} same calls and text, whole and in single characters
 * @property {boolean | undefined} invented a call although there is none; undefined: there are
 * calls
 */

/**
 * @param {Expected} expected
 * @param {Readings} readings
 * @returns {Verdict}
 */
export function judge(expected, { whole, characters }) {
  const { content } = expected
  return {
    calls: whole !== undefined && hasCalls(expected, whole),
    streamed: characters !== undefined && hasCalls(expected, characters),
    text: content === undefined ? undefined : whole !== undefined && alike(whole.text, content),
    same: whole !== undefined && characters !== undefined && isSame(whole, characters),
    invented: expected.calls.length > 0 ? undefined : (whole?.calls.length ?? 0) > 0,
  }
}

/**
 * The best of several verdicts, chosen in hindsight: calls count first.
 *
 * @param {Verdict[]} verdicts
 * @returns {Verdict}
 */
export function best(verdicts) {
  const [first] = [...verdicts].sort((one, other) => worth(other) - worth(one))
  if (!first) throw new TypeError('There is no verdict.')
  return first
}

/** @param {Verdict} verdict */
function worth({ calls, streamed, text, same }) {
  return Number(calls) * 8 + Number(streamed) * 4 + Number(text ?? false) * 2 + Number(same)
}

/**
 * @param {Expected} expected
 * @param {Reading} reading
 */
function hasCalls({ calls: wanted, argumentsSubset = false }, { calls }) {
  const fits = argumentsSubset ? holds : isDeepStrictEqual
  return (
    wanted.length === calls.length &&
    wanted.every(({ name, arguments: args }, index) => {
      const call = calls[index]
      return (name === null || name === call?.name) && fits(call?.arguments, args)
    })
  )
}

/**
 * True if a value contains all expected members, at any depth of objects.
 *
 * @param {unknown} value
 * @param {unknown} wanted
 * @returns {boolean}
 */
function holds(value, wanted) {
  if (!isObject(wanted)) return isDeepStrictEqual(value, wanted)
  return (
    isObject(value) && Object.entries(wanted).every(([key, member]) => holds(value[key], member))
  )
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * @param {Reading} one
 * @param {Reading} other
 */
function isSame(one, other) {
  return isDeepStrictEqual(one.calls, other.calls) && alike(one.text, other.text)
}

/**
 * Compares texts, ignoring whitespace.
 *
 * @param {string} one
 * @param {string} other
 */
function alike(one, other) {
  return squeeze(one) === squeeze(other)
}

/** @param {string} text */
function squeeze(text) {
  return text.replace(/\s+/g, ' ').trim()
}
