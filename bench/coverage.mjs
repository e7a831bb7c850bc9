// npm run bench -- --coverage: how many recorded replies are read correctly by Toolglot and by the
// one peer that reads replies. Writes bench/results/coverage.json and docs/coverage.md.
import { writeFileSync } from 'node:fs'
import { documentOf } from './recorded/document.mjs'
import { best, judge } from './recorded/judge.mjs'
import { PEER_PROTOCOLS, startPeer } from './recorded/peer.mjs'
import { summarize } from './recorded/summary.mjs'
import { readWithToolglot } from './recorded/toolglot.mjs'
import { readDecidedAgainst, readVectors, VECTORS } from './recorded/vectors.mjs'
import { describeMachine } from './machine.mjs'

/** @typedef {import('./recorded/judge.mjs').Verdict} Verdict */
/** @typedef {import('./recorded/vectors.mjs').Vector} Vector */

/** The time limit of the peer for one reading, in ms. */
const LIMIT = 5000

const vectors = readVectors()
if (vectors) await measure(vectors)
else console.log(`Skipped: ${VECTORS} is missing. It is not part of this repository.`)

/** @param {Vector[]} vectors */
async function measure(vectors) {
  const machine = describeMachine()
  /** @type {string[]} */
  const givenUp = []
  const peer = startPeer({ limit: LIMIT, onGivenUp: (what) => givenUp.push(what) })
  /** @type {import('./recorded/summary.mjs').Judged[]} */
  const judged = []
  for (const vector of vectors) {
    judged.push(await judgeOne(vector, peer))
    if (judged.length % 250 === 0) console.log(`${judged.length} of ${vectors.length} read`)
  }
  await peer.stop()

  const summary = summarize(judged, readDecidedAgainst())
  const coverage = { machine, limit: LIMIT / 1000, givenUp, ...summary }
  const json = JSON.stringify(coverage, null, 2)
  writeFileSync(new URL('results/coverage.json', import.meta.url), `${json}\n`)
  writeFileSync(new URL('../docs/coverage.md', import.meta.url), documentOf(coverage))
  for (const { name, told, auto, peer } of summary.totals) {
    const calls = [told, auto, peer].map(({ calls: [count, of] }) => `${count}/${of}`)
    console.log(`${name}: calls ${calls.join(', ')} (given the protocol, auto, peer)`)
  }
  console.log(`${givenUp.length} readings of the peer were aborted`)
  console.log('Written to bench/results/coverage.json and docs/coverage.md')
}

/**
 * @param {Vector} vector
 * @param {ReturnType<typeof startPeer>} peer
 */
async function judgeOne(vector, peer) {
  const verdictOn = (/** @type {import('./recorded/judge.mjs').Readings} */ readings) =>
    judge(vector.expected, readings)
  /** @type {Record<string, Verdict>} */
  const alone = {}
  for (const protocol of PEER_PROTOCOLS) {
    alone[protocol] = best((await peer.read(vector, protocol)).map(verdictOn))
  }
  return {
    vector,
    told: verdictOn(readWithToolglot(vector, { auto: false })),
    auto: verdictOn(readWithToolglot(vector, { auto: true })),
    peer: best(Object.values(alone)),
    alone,
  }
}
