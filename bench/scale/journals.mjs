// Runs in one process on each journal, alternating.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { figure, number } from '../figure.mjs'
import { median } from './median.mjs'

const TURNS = 10
const program = fileURLToPath(new URL('process.mjs', import.meta.url))
/**
 * The number of concurrent runs, the number of batches per process, and the number of measurements.
 */
const SIZES = [
  { runs: 10, times: 20, rounds: 7 },
  { runs: 100, times: 3, rounds: 5 },
  { runs: 1000, times: 1, rounds: 3 },
]
const KINDS = ['memory', 'sqlite', 'postgres']

/** @param {string} url */
export async function* measure(url) {
  for (const { runs, times, rounds } of SIZES) {
    const group = `${runs} runs in one process`
    /** @type {Record<string, { turns: number, loopP99: number, memory: number }>[]} */
    const measured = []
    for (let round = 0; round < rounds; round++) {
      const kinds = KINDS.map((_, index) => KINDS[(index + round) % KINDS.length] ?? '')
      /** @type {typeof measured[number]} */
      const row = {}
      for (const kind of kinds) {
        const words = [program, kind, url, ...[runs, TURNS, times].map(String)]
        const { stdout } = await promisify(execFile)(process.execPath, words)
        const { seconds, loopP99, memory } = JSON.parse(stdout)
        row[kind] = { turns: (runs * TURNS * times) / seconds, loopP99, memory }
      }
      measured.push(row)
    }
    const of = (/** @type {string} */ kind, /** @type {'turns' | 'loopP99' | 'memory'} */ what) =>
      measured.map((row) => row[kind]?.[what] ?? NaN)
    for (const kind of KINDS)
      yield figure({
        group,
        name: `turns on ${kind}`,
        value: median(of(kind, 'turns')),
        unit: '/s',
        detail: `event loop delay p99 ${number(median(of(kind, 'loopP99')))} ms, maximum RSS ${number(median(of(kind, 'memory')))} MB`,
      })
    const ratios = (/** @type {'turns' | 'loopP99'} */ what) =>
      measured.map((row) => (row['postgres']?.[what] ?? NaN) / (row['sqlite']?.[what] ?? NaN))
    yield figure({
      group,
      name: 'turns/s, Postgres to SQLite',
      value: median(ratios('turns')),
      unit: 'x',
      goal: { least: 0.7 },
      detail: `rounds: ${ratios('turns').map(number).join(', ')}`,
    })
    yield figure({
      group,
      name: 'event loop delay p99, Postgres to SQLite',
      value: median(ratios('loopP99')),
      unit: 'x',
      goal: { most: 1 },
      detail: `rounds: ${ratios('loopP99').map(number).join(', ')}`,
    })
  }
}
