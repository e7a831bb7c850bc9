import { existsSync, readFileSync } from 'node:fs'

/**
 * A recorded reply, and what those it was recorded from read in it.
 *
 * @typedef {object} Vector
 * @property {string} id
 * @property {string} protocol
 * @property {'strict' | 'lenient'} tier
 * @property {string} from whose tests it was recorded from
 * @property {string} text
 * @property {Expected} expected
 * @property {Tool[]} [tools]
 * @property {string} [prefix] what the prompt already wrote of the reply
 * @property {boolean} [startsInReasoning]
 *
 * @typedef {object} Expected
 * @property {{ name: string | null, arguments: unknown }[]} calls a name that is null may be any
 * @property {string} [content] the text around them, where that was checked
 * @property {string} [reasoning]
 * @property {boolean} [argumentsSubset] there may be more arguments than these
 *
 * @typedef {{ name: string, description?: string, parameters?: Record<string, unknown> }} Tool
 */

/** Where they are, from the folder that holds this project. They are not part of it. */
export const VECTORS = '../shared/vectors/protocols.jsonl'
export const DECIDED_AGAINST = 'packages/core/test/fixtures/decided-against.txt'

const root = new URL('../../', import.meta.url)

/** @returns {Vector[] | undefined} undefined where the file is not there */
export function readVectors() {
  const file = new URL(VECTORS, root)
  if (!existsSync(file)) return undefined
  return linesOf(file).map((line) => JSON.parse(line))
}

/** The ids of the replies that we mean to read otherwise. */
export function readDecidedAgainst() {
  const lines = linesOf(new URL(DECIDED_AGAINST, root)).filter((line) => !line.startsWith('#'))
  return new Set(lines.map((line) => line.split(' ', 1)[0] ?? ''))
}

/** @param {URL} file */
function linesOf(file) {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean)
}
