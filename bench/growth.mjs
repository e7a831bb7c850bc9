import { printCalls, protocols } from '@toolglot/core'
import { cut } from './chunks.mjs'
import { figure } from './figure.mjs'
import { race } from './race.mjs'
import { everyProtocol, onlyHermes, read } from './readers/toolglot.mjs'
import { argumentHeavy, argumentsFirst, many, nearMiss, textHeavy } from './texts.mjs'

/** @typedef {(size: number) => string} Make */
/** @typedef {import('@toolglot/core').ParserOptions} ParserOptions */

const [SMALL, LARGE] = [1 << 16, 1 << 20]

/**
 * The time limit, in milliseconds. Longer texts are not parsed: it is already clear that the time
 * does not grow linearly.
 */
const BUDGET = 10_000

const EFFORT = { rounds: 5, slice: 20 }
const LITTLE_EFFORT = { rounds: 3, slice: 5 }
const GOAL = { most: 20 }

const deliveries = /** @type {const} */ ([
  ['4-character chunks', 4],
  ['whole', Infinity],
])

/** @type {Record<string, [Make, ParserOptions]>} */
const cases = {
  'arguments, hermes': [(size) => argumentHeavy(size).reply, onlyHermes],
  'arguments, every protocol': [(size) => argumentHeavy(size).reply, everyProtocol],
  'prose, every protocol': [(size) => textHeavy(size).reply, everyProtocol],
  'near misses, every protocol': [nearMiss, everyProtocol],
  'arguments before the name': [argumentsFirst, everyProtocol],
  'spaces after <tool_call>': [(size) => `<tool_call>${many(' ', size)}`, everyProtocol],
  '<tool_call>{"x": over and over': [(size) => many('<tool_call>{"x":', size), everyProtocol],
  '<TOOL_CALL> over and over': [(size) => many('<TOOL_CALL>', size), everyProtocol],
  '<think> over and over': [(size) => many('<think>', size), everyProtocol],
  'fences over and over': [(size) => many('```\n', size), everyProtocol],
  'backticks and openings': [(size) => many('`<tool_call>\n', size), everyProtocol],
}

/**
 * The growth of the time for a text of 16 times the length, in cases where a reader might read it
 * repeatedly.
 *
 * @param {{ onFigure: (figure: Figure) => void }} options
 * @typedef {import('./figure.mjs').Figure} Figure
 */
export async function measureGrowth({ onFigure }) {
  /** @type {Figure[]} */
  const figures = []
  const add = (/** @type {string} */ name, /** @type {Growth} */ growth) => {
    const found = figure({
      group: 'Growth: 16 times the text',
      name,
      unit: 'x',
      goal: GOAL,
      ...growth,
    })
    figures.push(found)
    onFigure(found)
  }
  for (const [name, [make, options]] of Object.entries(cases)) {
    for (const [delivery, chunk] of deliveries) {
      add(`${name}, ${delivery}`, await growthOf(make, options, chunk, EFFORT))
    }
  }
  for (const [delivery, chunk] of deliveries) {
    const found = []
    for (const protocol of Object.values(protocols)) {
      const half = halfOf(protocol)
      const make = (/** @type {number} */ size) => many(half, size / 4)
      let growth = await growthOf(make, everyProtocol, chunk, LITTLE_EFFORT)
      // Measurements of small texts are noisy, so an apparent miss is measured a second time.
      if (growth.value > GOAL.most) growth = await growthOf(make, everyProtocol, chunk, EFFORT)
      found.push({ id: protocol.id, growth })
    }
    found.sort((one, other) => other.growth.value - one.growth.value)
    const shown = found.filter(({ growth }, index) => index === 0 || growth.value > GOAL.most)
    for (const { id, growth } of shown) {
      add(`half a call of ${id} (${found.length} protocols), ${delivery}`, growth)
    }
  }
  return figures
}

/** @param {import('@toolglot/core').Protocol} protocol */
function halfOf(protocol) {
  const call = printCalls(protocol, [{ name: 'write_file', args: { path: 'a', content: 'b' } }])
  return call.slice(0, call.length >> 1)
}

/**
 * From 64 KB to 1 MB.
 *
 * @typedef {{ value: number, detail: string }} Growth
 * @param {Make} make
 * @param {ParserOptions} options
 * @param {number} chunk
 * @param {import('./race.mjs').Effort} effort
 * @returns {Promise<Growth>}
 */
export async function growthOf(make, options, chunk, effort) {
  const runner = (/** @type {number} */ size) => {
    const chunks = cut(make(size), chunk)
    return () => read(chunks, options)
  }
  const early = await earlyGrowth(runner)
  if (early) return early
  const { small, large } = await race({ small: runner(SMALL), large: runner(LARGE) }, effort)
  const detail = `${ms(small.ms)}, then ${ms(large.ms)}: ${rate(make(LARGE).length, large.ms)}`
  return { value: large.ms / small.ms, detail }
}

/**
 * Reads increasingly long texts, once each. A text that would take too long is skipped; the growth
 * is then computed from the rest.
 *
 * @param {(size: number) => () => unknown} runner
 * @returns {Promise<Growth | undefined>}
 */
async function earlyGrowth(runner) {
  for (const size of [SMALL / 4, SMALL, SMALL * 4]) {
    const { once } = await race({ once: runner(size) }, { rounds: 1, slice: 1 })
    if (once.ms * 16 < BUDGET) continue
    const runners = { quarter: runner(size / 4), whole: runner(size) }
    const { quarter, whole } = await race(runners, { rounds: 3, slice: 1 })
    const detail = `${ms(quarter.ms)}, for 4 times the text ${ms(whole.ms)}; not read on`
    return { value: (whole.ms / quarter.ms) ** 2, detail }
  }
  return undefined
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
