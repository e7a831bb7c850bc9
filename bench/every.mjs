import { protocols } from '@toolglot/core'
import { cut } from './chunks.mjs'
import { figure } from './figure.mjs'
import { rate } from './growth.mjs'
import { race } from './race.mjs'
import { read } from './readers/toolglot.mjs'
import { argumentHeavy, many, nearMiss, textHeavy, tools } from './texts.mjs'

/** @typedef {import('./figure.mjs').Figure} Figure */

/** Repeated text is shorter, since it may be slow. */
const flood = (/** @type {string} */ text) => (/** @type {number} */ size) => many(text, size / 8)

/**
 * The texts, each with the protocol that it is written in, which is compared with using all
 * protocols.
 *
 * @type {[name: string, make: (size: number) => string, one: string][]}
 */
const cases = [
  ['prose', (size) => textHeavy(size).reply, 'hermes'],
  ['arguments', (size) => argumentHeavy(size).reply, 'hermes'],
  ['near misses', nearMiss, 'hermes'],
  ...['< ', '{ ', '[ ', '<{[', '<|', '<a> '].map(overAndOver('hermes')),
  ...['<tool_call>', '<tool_call>{"x":', '<think>', '```\n', '`<tool_call>\n'].map(
    overAndOver('hermes'),
  ),
  overAndOver('tool-call')('<TOOL_CALL>'),
  overAndOver('mistral')('[TOOL_CALLS]'),
  overAndOver('llama3')('<function=f>'),
]

/** @param {string} one */
function overAndOver(one) {
  return (/** @type {string} */ text) =>
    /** @type {typeof cases[number]} */ ([`${text.trim()} over and over`, flood(text), one])
}

/**
 * The additional time for all protocols together, compared with one.
 *
 * @param {{ effort: import('./race.mjs').Effort, size: number, onFigure: (figure: Figure) => void
 * }} options
 */
export async function measureEvery({ effort, size, onFigure }) {
  /** @type {Figure[]} */
  const figures = []
  for (const [name, make, id] of cases) {
    const text = make(size)
    const only = protocols[id]
    if (!only) throw new Error(`Unknown protocol "${id}".`)
    for (const chunk of [4, Infinity]) {
      const given = cut(text, chunk)
      const { one, every } = await race(
        {
          one: () => read(given, { protocols: only, tools }),
          every: () => read(given, { tools }),
        },
        effort,
      )
      const found = figure({
        group: 'Every protocol at once: time against one alone',
        name: `${name}, ${chunk === Infinity ? 'whole' : '4-character chunks'}`,
        unit: 'x',
        goal: { most: 2 },
        value: every.ms / one.ms,
        detail: `${rate(text.length, every.ms)} against ${rate(text.length, one.ms)}, ${id}`,
      })
      figures.push(found)
      onFigure(found)
    }
  }
  return figures
}
