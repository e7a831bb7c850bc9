// npm run bench -- --coverage: how many recorded replies are read correctly by Toolglot and by the
// only peer that reads replies. Writes bench/results/coverage.json and docs/coverage.md.
import { writeFileSync } from 'node:fs'
import { documentOf } from './recorded/document.mjs'
import { best, judge } from './recorded/judge.mjs'
import { PEER_PROTOCOLS, startPeer } from './recorded/peer.mjs'
import { summarize } from './recorded/summary.mjs'
import { readWithToolglot } from './recorded/toolglot.mjs'
import { readDecidedAgainst, readVectors, VECTORS } from './recorded/vectors.mjs'
import { readWeakSets, summarizeWeak } from './recorded/weak.mjs'
import { describeMachine } from './machine.mjs'

/** @typedef {import('./recorded/judge.mjs').Verdict} Verdict */
/** @typedef {import('./recorded/vectors.mjs').Vector} Vector */

/** The time limit of the peer for one reading, in ms. */
const LIMIT = 5000

const machine = describeMachine()
/** @type {string[]} */
const givenUp = []
const peer = startPeer({ limit: LIMIT, onGivenUp: (what) => givenUp.push(what) })
const weak = await measureWeak()
const vectors = readVectors()
if (vectors) await measure(vectors)
else
  console.log(`Nothing was written: ${VECTORS} is missing, which is not part of this repository.`)
await peer.stop()

/** Reads replies of untrained models, and prints how many calls were found. */
async function measureWeak() {
  const sets = []
  for (const { file, replies } of readWeakSets()) {
    const judged = []
    for (const reply of replies) {
      const { told, auto, peer, alone } = await judgeOne(reply, { onlyComplete: true })
      judged.push({ reply, verdicts: { told, auto, peer, ...alone } })
    }
    const rows = summarizeWeak(judged)
    for (const { reader, found, taken } of rows) {
      const counts = `calls found ${found.join('/')}, answers taken for calls ${taken.join('/')}`
      console.log(`${file}, ${reader}: ${counts}`)
    }
    sets.push({ file, replies: replies.length, rows })
  }
  return sets
}

/** @param {Vector[]} vectors */
async function measure(vectors) {
  /** @type {import('./recorded/summary.mjs').Judged[]} */
  const judged = []
  for (const vector of vectors) {
    judged.push({ vector, ...(await judgeOne(vector)) })
    if (judged.length % 250 === 0) console.log(`${judged.length} of ${vectors.length} read`)
  }

  const summary = summarize(judged, readDecidedAgainst())
  const coverage = { machine, limit: LIMIT / 1000, givenUp, ...summary, weak }
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
 * @param {import('./recorded/vectors.mjs').Reply} reply
 * @param {{ onlyComplete?: boolean }} [options]
 */
async function judgeOne(reply, options) {
  const verdictOn = (/** @type {import('./recorded/judge.mjs').Readings} */ readings) =>
    judge(reply.expected, readings)
  /** @type {Record<string, Verdict>} */
  const alone = {}
  for (const protocol of PEER_PROTOCOLS) {
    alone[protocol] = best((await peer.read(reply, protocol)).map(verdictOn))
  }
  return {
    told: verdictOn(readWithToolglot(reply, { auto: false, ...options })),
    auto: verdictOn(readWithToolglot(reply, { auto: true, ...options })),
    peer: best(Object.values(alone)),
    alone,
  }
}
