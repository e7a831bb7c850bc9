import { expect, test } from 'vitest'
import type { Verdict } from './judge.mjs'
import { summarize, type Judged } from './summary.mjs'

const right: Verdict = { calls: true, streamed: true, text: true, same: true, invented: undefined }
const wrong: Verdict = { ...right, calls: false, text: undefined, invented: true }

function judged(id: string, protocol: string, tier: 'strict' | 'lenient', told: Verdict): Judged {
  const vector = { id, protocol, tier, from: tier, text: '', expected: { calls: [] } }
  return { vector, told, auto: right, peer: wrong, alone: { x: wrong, y: right } }
}

const all = [
  judged('1', 'b', 'strict', right),
  judged('2', 'a', 'strict', wrong),
  judged('3', 'b', 'strict', right),
  judged('4', 'a', 'lenient', right),
]

test('counts by tier and protocol, the largest first', () => {
  const { totals, tiers } = summarize(all, new Set())
  expect(totals.map(({ name, replies, told }) => [name, replies, told.calls])).toEqual([
    ['all', 4, [3, 4]],
    ['strict', 3, [2, 3]],
    ['lenient', 1, [1, 1]],
    ['all without deliberate differences', 4, [3, 4]],
  ])
  expect(tiers['strict']?.map(({ name, told }) => [name, told.calls])).toEqual([
    ['b', [2, 2]],
    ['a', [0, 1]],
  ])
  expect(Object.keys(tiers)).toEqual(['strict', 'lenient'])
})

test('counts the replies of each source', () => {
  expect(summarize(all, new Set()).sources).toEqual({ strict: 3, lenient: 1 })
})

test('ignores undefined parts of a verdict', () => {
  const { told, peer } = summarize(all, new Set()).totals[0]!
  expect([told.text, told.invented]).toEqual([
    [3, 3],
    [1, 1],
  ])
  expect([peer.text, peer.invented]).toEqual([
    [0, 0],
    [4, 4],
  ])
})

test('omits replies decided against from the last rows only, by tier if there are any', () => {
  const { totals, decidedAgainst } = summarize(all, new Set(['2', 'elsewhere']))
  expect(decidedAgainst).toEqual({ listed: 2, present: 1 })
  expect(totals.slice(0, 3).map(({ told }) => told.calls)).toEqual([
    [3, 4],
    [2, 3],
    [1, 1],
  ])
  expect(totals.slice(3).map(({ name, told }) => [name, told.calls])).toEqual([
    ['strict without deliberate differences', [2, 2]],
    ['all without deliberate differences', [3, 3]],
  ])
})

test('counts each protocol of the peer separately', () => {
  const { peerAlone } = summarize(all, new Set())
  expect(peerAlone['x']?.calls).toEqual([0, 4])
  expect(peerAlone['y']?.calls).toEqual([4, 4])
})
