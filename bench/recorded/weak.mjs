import { existsSync, readFileSync } from 'node:fs'
import { tally } from './tally.mjs'
import { linesOf, root } from './vectors.mjs'

/** @typedef {import('./judge.mjs').Verdict} Verdict */
/** @typedef {import('./tally.mjs').Share} Share */
/** @typedef {import('./vectors.mjs').Reply} Reply */
/** @typedef {import('./vectors.mjs').Tool} Tool */

/**
 * Replies of models that were not trained on a protocol: calls, and answers that look like calls.
 *
 * @typedef {object} WeakSet
 * @property {string} file relative to the root
 * @property {Reply[]} replies
 *
 * The verdicts of every reader on one of them.
 * @typedef {object} JudgedReply
 * @property {Reply} reply
 * @property {Record<string, Verdict>} verdicts by reader
 *
 * The results of one reader for a set.
 * @typedef {object} WeakRow
 * @property {string} reader
 * @property {Share} found calls
 * @property {Share} streamed calls found in single characters
 * @property {Share} same
 * @property {Share} taken answers taken for calls
 * @property {string[]} wrong the ids of calls not found and answers taken
 */

/** The assumed protocol of an unknown model. */
const PROTOCOL = 'hermes'
/** The set in this repository, with its tools. */
export const OWN = 'packages/core/test/fixtures/weak.jsonl'
const OWN_TOOLS = 'packages/core/test/fixtures/weak-tools.json'
/** The file is not in this repository. */
const SHARED = '../shared/vectors/weak.jsonl'

/** @returns {WeakSet[]} our own, and the shared set if it exists */
export function readWeakSets() {
  const tools = JSON.parse(readFileSync(new URL(OWN_TOOLS, root), 'utf8'))
  const own = linesOf(new URL(OWN, root)).map((line) => ownReply(JSON.parse(line), tools))
  const shared = new URL(SHARED, root)
  return [
    { file: OWN, replies: own },
    ...(existsSync(shared)
      ? [
          {
            file: SHARED,
            replies: linesOf(shared).map((line) => sharedReply(JSON.parse(line))),
          },
        ]
      : []),
  ]
}

/**
 * @typedef {object} OwnLine
 * @property {string} id
 * @property {string} text
 * @property {string} tools the name of a list of tools
 * @property {{ name: string, args: unknown }[]} expected
 * @property {'stop' | 'length'} [finish]
 *
 * @param {OwnLine} line
 * @param {Record<string, Tool[]>} lists
 * @returns {Reply}
 */
export function ownReply({ id, text, tools: list, expected, finish }, lists) {
  const tools = lists[list]
  if (!tools) throw new Error(`${OWN_TOOLS} has no list "${list}", which ${id} uses.`)
  const calls = expected.map(({ name, args }) => ({ name, arguments: args }))
  return { id, protocol: PROTOCOL, text, tools, expected: { calls }, ...(finish && { finish }) }
}

/**
 * The ids in that set show which replies were cut off.
 *
 * @param {Reply} line
 * @returns {Reply}
 */
export function sharedReply(line) {
  return { ...line, ...(line.id.endsWith('-cut') && { finish: 'length' }) }
}

/**
 * @param {JudgedReply[]} judged
 * @returns {WeakRow[]} one for each reader
 */
export function summarizeWeak(judged) {
  return Object.keys(judged[0]?.verdicts ?? {}).map((reader) => {
    const all = judged.flatMap(({ reply, verdicts }) => {
      const verdict = verdicts[reader]
      return verdict ? [{ reply, verdict }] : []
    })
    const withCalls = all.filter(({ reply }) => reply.expected.calls.length > 0)
    const { calls: found, streamed } = tally(withCalls.map(({ verdict }) => verdict))
    const { same, invented: taken } = tally(all.map(({ verdict }) => verdict))
    const wrong = all.filter(({ verdict }) => verdict.invented ?? !verdict.calls)
    return { reader, found, streamed, same, taken, wrong: wrong.map(({ reply }) => reply.id) }
  })
}
