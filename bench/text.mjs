import { cut } from './chunks.mjs'
import { figure } from './figure.mjs'
import { race } from './race.mjs'
import { everyProtocol, onlyHermes, read } from './readers/toolglot.mjs'
import { many } from './texts.mjs'

/** @typedef {import('./figure.mjs').Figure} Figure */

/** Code and markup in which every bracket could start a call of a known tool. */
const texts = ['< ', '{ ', '[ ', '<a> ', 'if (a < b && c > d) {\n', '<div class="a">text</div>\n']

/**
 * The speed of reading text without calls if tools are given: the parser then also looks for calls
 * without marks.
 *
 * @param {{ effort: import('./race.mjs').Effort, size: number, onFigure: (figure: Figure) => void
 * }} options
 */
export async function measureText({ effort, size, onFigure }) {
  /** @type {Figure[]} */
  const figures = []
  for (const text of texts) {
    const given = cut(many(text, size), Infinity)
    const times = await race(
      { hermes: () => read(given, onlyHermes), 'every protocol': () => read(given, everyProtocol) },
      effort,
    )
    for (const [who, { ms }] of Object.entries(times)) {
      const found = figure({
        group: 'Text full of brackets, with tools',
        name: `${text.trim()} over and over, ${who}`,
        unit: 'MB/s',
        goal: { least: 20 },
        value: size / ms / 1000,
        detail: '',
      })
      figures.push(found)
      onFigure(found)
    }
  }
  return figures
}
