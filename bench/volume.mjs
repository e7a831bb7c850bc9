import { protocols } from '@toolglot/core'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { cut } from './chunks.mjs'
import { figure } from './figure.mjs'
import { rate } from './growth.mjs'
import { race } from './race.mjs'
import { read } from './readers/toolglot.mjs'
import { many, tools } from './texts.mjs'

/** @typedef {import('./figure.mjs').Figure} Figure */

const COUNT = 100_000
const HERMES = '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>'
const SEED = '<TOOL_CALL>{"tool":"read_file","args":{"path":"a.txt"}}</TOOL_CALL>'

/**
 * The text to repeat, its protocol, the number of calls in it, and the time limit for all in
 * seconds.
 */
const repetitions = /** @type {const} */ ([
  ['<tool_call>', 'hermes', 0, 0.5],
  ['<TOOL_CALL>', 'tool-call', 0, 0.5],
  ['<TOOL_CAL', 'tool-call', 0, 0.5],
  ['k:「始」', 'vcp', 0, 0.5],
  [HERMES, 'hermes', 1, 1.5],
  [SEED, 'tool-call', 1, 1.5],
])

/**
 * Reads a large amount of one kind of text.
 *
 * @param {{ onFigure: (figure: Figure) => void }} options
 */
export async function measureVolume({ onFigure }) {
  /** @type {Figure[]} */
  const figures = []
  /** @type {string[]} */
  const failures = []
  /** @param {Omit<Figure, 'group' | 'verdict'>} values */
  const add = (values) => {
    const found = figure({ group: 'Volume', ...values })
    figures.push(found)
    onFigure(found)
  }

  for (const [text, id, calls, most] of repetitions) {
    const all = cut(many(text, text.length * COUNT), Infinity)
    const only = protocols[id]
    /** @type {Record<string, import('@toolglot/core').ParserOptions>} */
    const readers = {
      [id]: { tools, ...(only && { protocols: only }) },
      'every protocol': { tools },
    }
    const runners = Object.entries(readers).map(([who, options]) => {
      if (read(all, options).length !== calls * COUNT)
        failures.push(`100 000 times, ${who}: ${text}: wrong calls`)
      return [who, () => read(all, options)]
    })
    const times = await race(Object.fromEntries(runners), { rounds: 3, slice: 20 })
    for (const [who, { ms }] of Object.entries(times)) {
      const name = `100 000 times, ${who}: ${text}`
      const detail = rate(text.length * COUNT, ms)
      add({ name, unit: 's', goal: { most }, value: ms / 1000, detail })
    }
    const [one, every] = Object.values(times)
    add({
      name: `  every protocol against ${id}`,
      unit: 'x',
      goal: { most: 2 },
      value: (every?.ms ?? NaN) / (one?.ms ?? NaN),
      detail: '',
    })
  }

  for (const opening of ['<TOOL_CALL>', '<TOOL_CALL>{"tool":"write_file","args":{"content":"']) {
    for (const delivery of ['in 4 KB chunks', 'whole']) {
      const { seconds, megabytes } = unterminated(opening, delivery)
      const name = `100 MB, ${delivery}: ${opening}xxx…`
      add({ name, unit: 's', goal: { most: 4 }, value: seconds, detail: '' })
      add({
        name: '  memory it took',
        unit: 'MB',
        goal: { most: 64 },
        value: megabytes,
        detail: 'peak RSS beyond the text',
      })
    }
  }
  return { figures, failures }
}

/**
 * Runs in a separate process that otherwise uses little memory.
 *
 * @param {string} opening
 * @param {string} delivery
 * @returns {{ seconds: number, megabytes: number }}
 */
function unterminated(opening, delivery) {
  const script = fileURLToPath(new URL('unterminated.mjs', import.meta.url))
  const { stdout, status } = spawnSync(process.execPath, [script, opening, delivery], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  })
  return status === 0 ? JSON.parse(stdout) : { seconds: Infinity, megabytes: Infinity }
}
