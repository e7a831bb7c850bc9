import { cut } from './chunks.mjs'
import { figure } from './figure.mjs'
import { race } from './race.mjs'
import { everyProtocol, onlyHermes, read } from './readers/toolglot.mjs'
import { many } from './texts.mjs'

/** @typedef {import('./figure.mjs').Figure} Figure */

/** Code and markup, in which a call of a known tool might begin at every bracket. */
const texts = ['< ', '{ ', '[ ', '<a> ', 'if (a < b && c > d) {\n', '<div class="a">text</div>\n']

/**
 * How fast text without calls is read if tools are given: then calls without marks are looked for, too.
 *
 * @param {{ effort: import('./race.mjs').Effort, size: number, onFigure: (figure: Figure) => void }} options
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
