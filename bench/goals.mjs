import { cut } from './chunks.mjs'
import { figure } from './figure.mjs'
import { growthOf } from './growth.mjs'
import { race } from './race.mjs'
import { onlyHermes, read } from './readers/toolglot.mjs'
import { argumentHeavy } from './texts.mjs'

/** @typedef {import('./figure.mjs').Figure} Figure */
/** @typedef {import('./speed.mjs').Table} Table */

/**
 * The goals for reading replies.
 *
 * @param {Table[]} tables
 * @param {{ effort: Effort, onFigure: (figure: Figure) => void }} options
 * @typedef {import('./race.mjs').Effort} Effort
 */
export async function measureGoals(tables, { effort, onFigure }) {
  /** @type {Figure[]} */
  const figures = []
  /** @param {Omit<Figure, 'verdict'>} values */
  const add = (values) => {
    const found = figure(values)
    figures.push(found)
    onFigure(found)
  }
  const chunks = 'in 4-character chunks'

  const streaming = 'Streaming arguments, 4-character chunks'
  add({
    group: streaming,
    name: '1 MB takes at most 20 times as long as 64 KB',
    unit: 'x',
    goal: { most: 20 },
    ...(await growthOf((size) => argumentHeavy(size).reply, onlyHermes, 4, effort)),
  })
  add({
    group: streaming,
    name: '1 MB, against JSON.parse of the arguments',
    unit: 'x',
    goal: { least: 1 / 60 },
    ...(await againstJsonParse(effort)),
  })
  add({
    group: streaming,
    name: '64 KB, against @ai-sdk-tool/parser',
    unit: 'x',
    goal: { least: 50 },
    ...ratio(
      speed('argument-heavy', chunks, OURS, '64 KB'),
      speed('argument-heavy', chunks, '@ai-sdk-tool/parser', '64 KB'),
    ),
  })

  const whole = 'Whole replies, 1 MB'
  add({
    group: whole,
    name: 'prose, against a charCodeAt loop',
    unit: 'x',
    goal: { least: 0.3 },
    ...ratio(
      speed('text-heavy', 'whole', OURS, '1 MB'),
      speed('text-heavy', 'whole', 'charCodeAt loop', '1 MB'),
    ),
  })
  add({
    group: whole,
    name: 'arguments, against JSON.parse of them',
    unit: 'x',
    goal: { least: 0.4 },
    ...ratio(
      speed('argument-heavy', 'whole', OURS, '1 MB'),
      speed('argument-heavy', 'whole', JSON_PARSE, '1 MB'),
    ),
  })
  return figures

  /**
   * @param {Table['text']} text
   * @param {string} delivery
   * @param {string} reader
   * @param {string} size
   */
  function speed(text, delivery, reader, size) {
    const table = tables.find((each) => each.text === text && each.delivery === delivery)
    const found = table?.rows[reader]?.[size]
    if (!found) throw new Error(`${reader} was not measured: ${text}, ${delivery}, ${size}`)
    return found
  }
}

/**
 * Chunks compared with whole texts: they are in different tables, so they are measured again,
 * together.
 *
 * @param {Effort} effort
 */
async function againstJsonParse(effort) {
  const { reply, json } = argumentHeavy(1 << 20)
  const chunks = cut(reply, 4)
  const { ours, theirs } = await race(
    { ours: () => read(chunks, onlyHermes), theirs: () => JSON.parse(json) },
    effort,
  )
  return ratio(speedOf(reply, ours), speedOf(json, theirs))
}

/**
 * @param {string} text
 * @param {import('./race.mjs').Time} time
 * @returns {import('./speed.mjs').Speed}
 */
function speedOf({ length }, time) {
  return { ...time, rate: length / time.ms / 1000 }
}

const OURS = 'toolglot, hermes'
const JSON_PARSE = 'JSON.parse of the arguments'

/**
 * @param {import('./speed.mjs').Speed} ours
 * @param {import('./speed.mjs').Speed} theirs
 */
function ratio(ours, theirs) {
  const [one, other] = [ours, theirs].map(({ rate }) =>
    rate < 10 ? rate.toFixed(3) : rate.toFixed(0),
  )
  const detail = `${one} against ${theirs.late ? 'less than ' : ''}${other} MB/s`
  const value = ours.rate / theirs.rate
  return theirs.late ? { value, detail, atLeast: /** @type {const} */ (true) } : { value, detail }
}
