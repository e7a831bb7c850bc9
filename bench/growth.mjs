import { printCalls, protocols } from '@toolglot/core'
import { cut } from './chunks.mjs'
import { figure } from './figure.mjs'
import { race } from './race.mjs'
import { everyProtocol, onlyHermes, read } from './readers/toolglot.mjs'
import { argumentHeavy, argumentsFirst, many, nearMiss, textHeavy } from './texts.mjs'

/** @typedef {(size: number) => string} Make */
/** @typedef {import('@toolglot/core').ParserOptions} ParserOptions */

const [SMALL, MIDDLE, LARGE] = [1 << 16, 1 << 18, 1 << 20]

/** Longer than this a text is not read: it is known by then that time does not grow with length. */
const BUDGET = 20_000

const EFFORT = { rounds: 5, slice: 20 }

/** @type {Record<string, [Make, ParserOptions]>} */
const cases = {
  'arguments, hermes': [(size) => argumentHeavy(size).reply, onlyHermes],
  'arguments, every protocol': [(size) => argumentHeavy(size).reply, everyProtocol],
  'prose, every protocol': [(size) => textHeavy(size).reply, everyProtocol],
  'near misses, every protocol': [nearMiss, everyProtocol],
  'arguments before the name': [argumentsFirst, everyProtocol],
  'blanks after <tool_call>': [(size) => `<tool_call>${many(' ', size)}`, everyProtocol],
  '<tool_call>{"x": over and over': [(size) => many('<tool_call>{"x":', size), everyProtocol],
  '<TOOL_CALL> over and over': [(size) => many('<TOOL_CALL>', size), everyProtocol],
  '<think> over and over': [(size) => many('<think>', size), everyProtocol],
  'fences over and over': [(size) => many('```\n', size), everyProtocol],
  'backticks and openings': [(size) => many('`<tool_call>\n', size), everyProtocol],
}

/**
 * How much longer 1 MB takes than 64 KB, where a reader could be tempted to read again and again.
 *
 * @param {{ onFigure: (figure: Figure) => void }} options
 * @typedef {import('./figure.mjs').Figure} Figure
 */
export async function measureGrowth({ onFigure }) {
  const figures = []
  for (const [name, [make, options]] of Object.entries({ ...cases, ...halves() })) {
    for (const chunk of [4, Infinity]) {
      const growth = await growthOf(make, options, chunk, EFFORT)
      const found = figure({
        group: 'Growth: 1 MB / 64 KB',
        name: `${name}, ${chunk === Infinity ? 'whole' : `${chunk}-character chunks`}`,
        unit: 'x',
        goal: { most: 20 },
        ...growth,
      })
      figures.push(found)
      onFigure(found)
    }
  }
  return figures
}

/**
 * @param {Make} make
 * @param {ParserOptions} options
 * @param {number} chunk
 * @param {import('./race.mjs').Effort} effort
 */
export async function growthOf(make, options, chunk, effort) {
  const runner = (/** @type {number} */ size) => {
    const chunks = cut(make(size), chunk)
    return () => read(chunks, options)
  }
  const before = await race(
    { small: runner(SMALL), middle: runner(MIDDLE) },
    { rounds: 1, slice: 5 },
  )
  if (before.middle.ms > BUDGET / 16) {
    const value = (before.middle.ms / before.small.ms) ** 2
    return { value, detail: `64 KB ${ms(before.small.ms)}, 256 KB ${ms(before.middle.ms)}` }
  }
  const { small, large } = await race({ small: runner(SMALL), large: runner(LARGE) }, effort)
  return {
    value: large.ms / small.ms,
    detail: `64 KB ${ms(small.ms)}, 1 MB ${ms(large.ms)}, ${rate(LARGE, large.ms)}`,
  }
}

/**
 * The first half of a call, over and over, in each protocol.
 *
 * @returns {Record<string, [Make, ParserOptions]>}
 */
function halves() {
  return Object.fromEntries(
    Object.values(protocols).map((protocol) => {
      const call = printCalls(protocol, [{ name: 'write_file', args: { path: 'a', content: 'b' } }])
      const half = call.slice(0, call.length >> 1)
      return [`half a ${protocol.id} call`, [(size) => many(half, size), everyProtocol]]
    }),
  )
}

/** @param {number} milliseconds */
export function ms(milliseconds) {
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0)} ms`
}

/**
 * @param {number} length
 * @param {number} milliseconds
 */
export function rate(length, milliseconds) {
  const value = length / milliseconds / 1000
  return `${value.toFixed(value < 10 ? 1 : 0)} MB/s`
}
