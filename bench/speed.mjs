import { cut } from './chunks.mjs'
import { ourProblem, problemOf } from './equal.mjs'
import { race, within } from './race.mjs'
import { ours, oursWithAll, readers } from './readers/index.mjs'
import { everyProtocol, onlyHermes } from './readers/toolglot.mjs'
import { argumentHeavy, textHeavy } from './texts.mjs'

/** @typedef {import('./readers/reader.mjs').Reader} Reader */
/** @typedef {import('./race.mjs').Time} Time */

/**
 * How fast a reader was, in MB (10^6 characters) a second; `late`: slower than that.
 *
 * @typedef {{ ms: number, rate: number, late: boolean }} Speed
 *
 * One table: who reads one kind of text, delivered in one way, in all sizes.
 * @typedef {object} Table
 * @property {'argument-heavy' | 'text-heavy'} text
 * @property {string} delivery
 * @property {Record<string, Record<string, Speed>>} rows by reader, then by size
 *
 * @typedef {{ whole: true } | { chunk: number }} Delivery
 */

const texts = { 'argument-heavy': argumentHeavy, 'text-heavy': textHeavy }

/**
 * @param {object} options
 * @param {number[]} options.sizes in KB
 * @param {number[]} options.chunks in characters; Infinity: whole
 * @param {number} options.budget in ms, for peers that may not end
 * @param {number} options.rounds
 * @param {(table: Table) => void} options.onTable
 */
export async function measureSpeed({ sizes, chunks, budget, rounds, onTable }) {
  /** @type {Table[]} */
  const tables = []
  /** @type {string[]} */
  const failures = []
  /** @type {Set<string>} */
  const notes = new Set()

  for (const text of /** @type {const} */ (['argument-heavy', 'text-heavy'])) {
    for (const chunk of chunks) {
      const delivery = chunk === Infinity ? 'whole' : `in ${chunk}-character chunks`
      /** @type {Table} */
      const table = { text, delivery, rows: {} }
      for (const size of sizes) await measure(table, size, chunk)
      tables.push(table)
      onTable(table)
    }
  }
  return { tables, failures, notes: [...notes] }

  /**
   * @param {Table} table
   * @param {number} size
   * @param {number} chunk
   */
  async function measure({ text, delivery, rows }, size, chunk) {
    const made = texts[text](size * 1024)
    const given = {
      reply: cut(made.reply, chunk),
      arguments: cut(made.json, chunk),
    }
    const label = labelOf(size)
    /** @type {Record<string, () => unknown>} */
    const runners = {}

    for (const [reader, options] of /** @type {const} */ ([
      [ours, onlyHermes],
      [oursWithAll, everyProtocol],
    ])) {
      const problem = ourProblem(made, given.reply, options)
      if (problem) failures.push(`${reader.name}, ${text}, ${delivery}, ${label}: ${problem}`)
    }
    for (const reader of readers) {
      const run = runnerOf(reader, given[reader.reads], chunk, budget)
      if (!run || (text === 'text-heavy' && reader.reads === 'arguments')) continue
      const row = (rows[reader.name] ??= {})
      const before = Object.values(row).at(-1)
      if (before && (before.late || (reader.budget && before.ms * 4 > budget))) {
        row[label] = { ms: budget, rate: (made.reply.length / budget) * 0.001, late: true }
        continue
      }
      runners[reader.name] = run
      const problem = reader.finds === false ? undefined : await problemOf(made, run)
      if (!problem) continue
      if (reader === ours || reader === oursWithAll) {
        failures.push(`${reader.name}, ${text}, ${delivery}, ${label}: ${problem}`)
      } else {
        notes.add(`${reader.name}, ${text}, ${delivery}: ${problem.slice(0, 100)}`)
        delete runners[reader.name]
      }
    }
    for (const [name, { ms, late }] of Object.entries(await race(runners, { rounds }))) {
      const { reads } = /** @type {Reader} */ (readers.find((reader) => reader.name === name))
      const length = reads === 'reply' ? made.reply.length : made.json.length
      const row = rows[name]
      if (row) row[label] = { ms, rate: (length / ms) * 0.001, late }
    }
  }
}

/**
 * @param {Reader} reader
 * @param {readonly string[]} chunks
 * @param {number} chunk
 * @param {number} budget
 * @returns {(() => unknown) | undefined}
 */
function runnerOf({ whole, stream, budget: limited }, chunks, chunk, budget) {
  if (chunk === Infinity) return whole && (() => whole(chunks[0] ?? ''))
  return stream && (() => stream(limited ? within(chunks, budget) : chunks))
}

/** @param {number} size in KB */
export function labelOf(size) {
  return size >= 1024 ? `${size / 1024} MB` : `${size} KB`
}
