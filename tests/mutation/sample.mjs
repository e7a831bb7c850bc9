import { createHash } from 'node:crypto'

/** @typedef {import('./mutants.mjs').Mutant} Mutant */

/**
 * A sample of mutants from all files, and of all kinds in each file: the same ones for the same
 * seed. The number per file depends on its size. Texts are often error messages, so there are few
 * of them.
 *
 * @param {readonly Mutant[]} all
 * @param {number} size
 * @param {string} seed
 */
export function sampleOf(all, size, seed) {
  const order = (/** @type {string} */ text) =>
    createHash('sha256').update(`${seed} ${text}`).digest('hex')
  const sorted = all
    .map((mutant) => ({ mutant, at: order(mutant.key) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ mutant }) => mutant)
  const usual = sorted.filter(({ kind }) => kind !== 'text')
  const texts = sorted.filter(({ kind }) => kind === 'text')
  return [...spread(usual, Math.ceil(size * 0.9)), ...spread(texts, Math.floor(size * 0.1))]
}

/**
 * @param {readonly Mutant[]} list
 * @param {number} size
 */
function spread(list, size) {
  const files = groupsOf(list, 'path')
  const share = Math.min(1, size / list.length)
  return files
    .flatMap((mutants) =>
      byTurns(groupsOf(mutants, 'kind')).map((mutant, index) => ({
        mutant,
        // The first mutant of each file, then in proportion to its size.
        rank: index === 0 ? 0 : index / (mutants.length * share),
      })),
    )
    .sort((a, b) => a.rank - b.rank)
    .slice(0, size)
    .map(({ mutant }) => mutant)
}

/**
 * @param {readonly Mutant[]} list
 * @param {'path' | 'kind'} by
 * @returns {Mutant[][]}
 */
function groupsOf(list, by) {
  /** @type {Map<string, Mutant[]>} */
  const groups = new Map()
  for (const mutant of list) groups.set(mutant[by], [...(groups.get(mutant[by]) ?? []), mutant])
  return [...groups.values()]
}

/**
 * Alternates between lists: the first item of each, then the second of each.
 *
 * @template Item
 * @param {readonly (readonly Item[])[]} lists
 * @returns {Item[]}
 */
function byTurns(lists) {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => at).flatMap((at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  )
}
