import { existsSync, readFileSync } from 'node:fs'

/**
 * A reply, and its expected reading.
 *
 * @typedef {object} Reply
 * @property {string} id
 * @property {string} protocol
 * @property {string} text
 * @property {Expected} expected
 * @property {Tool[]} [tools]
 * @property {string} [prefix] the beginning of the reply that the prompt contains
 * @property {boolean} [startsInReasoning]
 * @property {'stop' | 'length'} [finish] length: it was cut off
 *
 * A recorded reply, with the reading by its project.
 * @typedef {Reply & Recorded} Vector
 * @typedef {object} Recorded
 * @property {'strict' | 'lenient'} tier
 * @property {string} from the project whose tests it comes from
 *
 * @typedef {object} Expected
 * @property {{ name: string | null, arguments: unknown }[]} calls null: any name
 * @property {string} [content] the text around them, if that was checked
 * @property {string} [reasoning]
 * @property {boolean} [argumentsSubset] more arguments than these are allowed
 *
 * @typedef {{ name: string, description?: string, parameters?: Record<string, unknown> }} Tool
 */

/** Relative to the folder that contains this repository. The file is not part of the repository. */
export const VECTORS = '../shared/vectors/protocols.jsonl'
export const DECIDED_AGAINST = 'packages/core/test/fixtures/decided-against.txt'

export const root = new URL('../../', import.meta.url)

/** @returns {Vector[] | undefined} undefined if the file is missing */
export function readVectors() {
  const file = new URL(VECTORS, root)
  if (!existsSync(file)) return undefined
  return linesOf(file).map((line) => JSON.parse(line))
}

/** The ids of the replies that we intentionally read differently. */
export function readDecidedAgainst() {
  const lines = linesOf(new URL(DECIDED_AGAINST, root)).filter((line) => !line.startsWith('#'))
  return new Set(lines.map((line) => line.split(' ', 1)[0] ?? ''))
}

/** @param {URL} file */
export function linesOf(file) {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean)
}
