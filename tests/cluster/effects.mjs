// Tools whose effects can be counted. The processes of the cluster load this file, as that of a user; EFFECTS names a folder.
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const folder = process.env['EFFECTS'] ?? ''
/** How long a tool takes at most before its effect, and after it, in milliseconds. */
const WORK = 200

/** @typedef {{ n: number }} Args */
/** @typedef {{ idempotencyKey?: string }} Context */

const parameters = {
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
}

/** Afterwards it is unknown whether it was done. */
export const note = {
  name: 'note',
  description: 'Notes a number',
  parameters,
  /** @param {Args} args @param {Context} context */
  async execute({ n }, { idempotencyKey }) {
    await sleep(Math.random() * WORK)
    appendFileSync(join(folder, 'notes'), `${idempotencyKey}\n`)
    await sleep(Math.random() * WORK)
    return `noted ${n}`
  },
}

/** As a service does that accepts a key once, and can be asked about it. */
export const send = {
  name: 'send',
  description: 'Sends a number',
  parameters,
  /** @param {Args} args @param {Context} context */
  async execute({ n }, { idempotencyKey = '' }) {
    await sleep(Math.random() * WORK)
    try {
      writeFileSync(parcel(idempotencyKey), '', { flag: 'wx' })
    } catch (error) {
      // Somebody who was only paused has sent it.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
      appendFileSync(join(folder, 'refused'), `${idempotencyKey}\n`)
    }
    await sleep(Math.random() * WORK)
    return `sent ${n}`
  },
  /** @param {Args} args @param {Context} context */
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
 * How often each effect took place, by the key of its call; how many the service refused because it had seen their key; and how
 * often it was asked about one that it had seen, or had not.
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
