import { cut } from './chunks.mjs'
import { judge, ourProblem } from './equal.mjs'
import { race, within } from './race.mjs'
import { ours, oursWithAll, readers } from './readers/index.mjs'
import { everyProtocol, onlyHermes } from './readers/toolglot.mjs'
import { argumentHeavy, textHeavy } from './texts.mjs'

/** @typedef {import('./readers/reader.mjs').Reader} Reader */

/**
 * The speed of a reader, in MB (10^6 characters) per second; `late`: slower than that.
 *
 * @typedef {{ ms: number, rate: number, late: boolean }} Speed
 *
 * One table: all readers of one kind of text, delivered in one way, in all sizes.
 * @typedef {object} Table
 * @property {'argument-heavy' | 'text-heavy'} text
 * @property {string} delivery
 * @property {Record<string, Record<string, Speed>>} rows by reader, then by size
 *
 * @typedef {object} Plan
 * @property {number[]} sizes in KB
 * @property {number[]} chunks in characters; Infinity: whole
 * @property {number} budget in ms, for peers that may never finish
 * @property {import('./race.mjs').Effort} effort
 * @property {(table: Table) => void} onTable
 */

const texts = { 'argument-heavy': argumentHeavy, 'text-heavy': textHeavy }

/**
 * Reads the same replies with all readers. `failures` are our wrong readings, `notes` those of peers.
 *
 * @param {Plan} plan
 */
export async function measureSpeed(plan) {
  /** @type {Table[]} */
  const tables = []
  /** @type {string[]} */
  const failures = []
  /** @type {string[]} */
  const notes = []

  for (const text of /** @type {const} */ (['argument-heavy', 'text-heavy'])) {
    for (const chunk of plan.chunks) {
      const delivery = chunk === Infinity ? 'whole' : `in ${chunk}-character chunks`
      /** @type {Table} */
      const table = { text, delivery, rows: {} }
      for (const size of plan.sizes) {
        const wrong = await measureColumn(table, size, chunk, plan)
        failures.push(...wrong.filter(({ name }) => isOurs(name)).map(({ line }) => line))
        notes.push(...wrong.filter(({ name }) => !isOurs(name)).map(({ line }) => line))
      }
      tables.push(table)
      plan.onTable(table)
    }
  }
  return { tables, failures, notes }
}

/**
 * Fills in the column for one size.
 *
 * @param {Table} table
 * @param {number} size
 * @param {number} chunk
 * @param {Plan} plan
 */
async function measureColumn({ text, delivery, rows }, size, chunk, { budget, effort }) {
  const made = texts[text](size * 1024)
  const given = { reply: cut(made.reply, chunk), arguments: cut(made.json, chunk) }
  const length = { reply: made.reply.length, arguments: made.json.length }
  const label = size >= 1024 ? `${size / 1024} MB` : `${size} KB`
  const late = { ms: budget, rate: length.reply / budget / 1000, late: true }

  /** @type {{ name: string, line: string }[]} */
  const wrong = []
  const add = (/** @type {Reader} */ { name }, /** @type {string | undefined} */ problem) => {
    if (problem) wrong.push({ name, line: `${name}, ${text}, ${delivery}, ${label}: ${problem}` })
  }
  add(ours, ourProblem(made, given.reply, onlyHermes))
  add(oursWithAll, ourProblem(made, given.reply, everyProtocol))

  /** @type {Record<string, () => unknown>} */
  const runners = {}
  for (const reader of readers) {
    const run = runnerOf(reader, given[reader.reads], chunk, budget)
    if (!run || (text === 'text-heavy' && reader.reads === 'arguments')) continue
    const row = (rows[reader.name] ??= {})
    if (isHopeless(Object.values(row).at(-1), length.reply, reader.budget ? budget : Infinity)) {
      row[label] = late
      continue
    }
    const found = reader.finds === false ? {} : await judge(made, run)
    add(reader, found.problem?.slice(0, 100))
    if (found.late) row[label] = late
    else if (!found.problem) runners[reader.name] = run
  }
  const times = await race(runners, effort)
  for (const { name, reads } of readers) {
    const time = times[name]
    const row = rows[name]
    if (time && row) row[label] = { ...time, rate: length[reads] / time.ms / 1000 }
  }
  return wrong
}

/**
 * True if the reader was too slow for a shorter text, or would be too slow with linear growth.
 *
 * @param {Speed | undefined} before
 * @param {number} length
 * @param {number} budget
 */
function isHopeless(before, length, budget) {
  return before !== undefined && (before.late || length / before.rate / 1000 > budget)
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

/** @param {string} name */
function isOurs(name) {
  return name === ours.name || name === oursWithAll.name
}
