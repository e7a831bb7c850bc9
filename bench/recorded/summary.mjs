import { tally } from './tally.mjs'

/** @typedef {import('./judge.mjs').Verdict} Verdict */
/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {import('./vectors.mjs').Vector} Vector */

/**
 * The verdicts on one reply.
 *
 * @typedef {object} Judged
 * @property {Vector} vector
 * @property {Verdict} told Toolglot, with the given protocol
 * @property {Verdict} auto Toolglot, without a given protocol
 * @property {Verdict} peer the best of `alone`
 * @property {Record<string, Verdict>} alone the peer, by protocol
 *
 * A group of replies.
 * @typedef {object} Row
 * @property {string} name
 * @property {number} replies
 * @property {Tally} told
 * @property {Tally} auto
 * @property {Tally} peer
 *
 * @typedef {object} Summary
 * @property {Record<string, number>} sources the number of replies by source
 * @property {Row[]} totals
 * @property {Record<string, Row[]>} tiers by protocol, the largest first
 * @property {Record<string, Tally>} peerAlone
 * @property {{ listed: number, present: number }} decidedAgainst
 */

/**
 * @param {Judged[]} judged
 * @param {Set<string>} decidedAgainst ids
 * @returns {Summary}
 */
export function summarize(judged, decidedAgainst) {
  const tiers = groupBy(judged, ({ vector }) => vector.tier)
  const kept = judged.filter(({ vector }) => !decidedAgainst.has(vector.id))
  const alone = groupBy(
    judged.flatMap((each) => Object.entries(each.alone)),
    ([protocol]) => protocol,
  )
  const sources = groupBy(judged, ({ vector }) => vector.from)
  return {
    sources: Object.fromEntries([...sources].map(([from, members]) => [from, members.length])),
    totals: [
      rowOf('all', judged),
      ...[...tiers].map(([tier, members]) => rowOf(tier, members)),
      ...[...groupBy(kept, ({ vector }) => vector.tier)]
        .filter(([tier, members]) => members.length < (tiers.get(tier)?.length ?? 0))
        .map(([tier, members]) => rowOf(`${tier} without deliberate differences`, members)),
      rowOf('all without deliberate differences', kept),
    ],
    tiers: Object.fromEntries([...tiers].map(([tier, members]) => [tier, byProtocol(members)])),
    peerAlone: Object.fromEntries(
      [...alone].map(([protocol, found]) => [protocol, tally(found.map(([, verdict]) => verdict))]),
    ),
    decidedAgainst: { listed: decidedAgainst.size, present: judged.length - kept.length },
  }
}

/** @param {Judged[]} judged */
function byProtocol(judged) {
  return [...groupBy(judged, ({ vector }) => vector.protocol)]
    .map(([protocol, members]) => rowOf(protocol, members))
    .sort((one, other) => other.replies - one.replies || (one.name < other.name ? -1 : 1))
}

/**
 * @param {string} name
 * @param {Judged[]} judged
 * @returns {Row}
 */
function rowOf(name, judged) {
  return {
    name,
    replies: judged.length,
    told: tally(judged.map(({ told }) => told)),
    auto: tally(judged.map(({ auto }) => auto)),
    peer: tally(judged.map(({ peer }) => peer)),
  }
}

/**
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => string} keyOf
 */
function groupBy(items, keyOf) {
  /** @type {Map<string, Item[]>} */
  const groups = new Map()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
