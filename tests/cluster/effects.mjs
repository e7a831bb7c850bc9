// Tools with countable effects. The processes of the cluster load this file like a user's own;
// EFFECTS is the path of a folder.
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const folder = process.env['EFFECTS'] ?? ''
/** The maximum time of a tool before its effect, and after it, in milliseconds. */
const WORK = 200

/** @typedef {{ n: number }} Args */
/** @typedef {{ idempotencyKey?: string }} Context */

const parameters = {
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
}

/** After an interruption, it is unknown if this was done. */
export const note = {
  name: 'note',
  description: 'Notes a number',
  parameters,
  /**
   * @param {Args} args
   * @param {Context} context
   */
  async execute({ n }, { idempotencyKey }) {
    await sleep(Math.random() * WORK)
    appendFileSync(join(folder, 'notes'), `${idempotencyKey}\n`)
    await sleep(Math.random() * WORK)
    return `noted ${n}`
  },
}

/** Like a service that accepts each key once and can be queried about it. */
export const send = {
  name: 'send',
  description: 'Sends a number',
  parameters,
  /**
   * @param {Args} args
   * @param {Context} context
   */
  async execute({ n }, { idempotencyKey = '' }) {
    await sleep(Math.random() * WORK)
    try {
      writeFileSync(parcel(idempotencyKey), '', { flag: 'wx' })
    } catch (error) {
      // Another process, which was only paused, has sent it.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
      appendFileSync(join(folder, 'refused'), `${idempotencyKey}\n`)
    }
    await sleep(Math.random() * WORK)
    return `sent ${n}`
  },
  /**
   * @param {Args} args
   * @param {Context} context
   */
  verify({ n }, { idempotencyKey = '' }) {
    const isDone = existsSync(parcel(idempotencyKey))
    appendFileSync(join(folder, isDone ? 'found' : 'missing'), `${idempotencyKey}\n`)
    return isDone ? { status: 'done', result: `sent ${n}` } : { status: 'not-done' }
  },
}

/** @param {string} key */
function parcel(key) {
  return join(folder, `parcel ${encodeURIComponent(key)}`)
}

/**
 * The number of effects by the key of their call, of keys refused as duplicates, and of queries
 * about known and unknown keys.
 *
 * @param {string} where
 */
export function countEffects(where) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const key of linesOf(join(where, 'notes'))) counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const name of readdirSync(where)) {
    if (!name.startsWith('parcel ')) continue
    const key = decodeURIComponent(name.slice('parcel '.length))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const [refused = 0, found = 0, missing = 0] = ['refused', 'found', 'missing'].map(
    (name) => linesOf(join(where, name)).length,
  )
  return { counts, refused, found, missing }
}

/** @param {string} file */
function linesOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}
