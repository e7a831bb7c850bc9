import { expect, test } from 'vitest'
import type { Verdict } from './judge.mjs'
import { ownReply, readWeakSets, sharedReply, summarizeWeak } from './weak.mjs'

const ping = { name: 'ping', parameters: { type: 'object' } }

test('a line of our own set gets its tools and the protocol of unknown models', () => {
  const line = {
    id: 'a',
    text: 'ping()',
    tools: 'few',
    expected: [{ name: 'ping', args: { n: 1 } }],
    finish: 'length' as const,
  }
  expect(ownReply(line, { few: [ping] })).toEqual({
    id: 'a',
    protocol: 'hermes',
    text: 'ping()',
    tools: [ping],
    expected: { calls: [{ name: 'ping', arguments: { n: 1 } }] },
    finish: 'length',
  })
  expect(() => ownReply(line, {})).toThrow('has no list "few", which a uses')
})

test('an id in the shared set shows whether the reply was cut off', () => {
  const line = { id: 'weak-cut', protocol: 'hermes', text: '', expected: { calls: [] } }
  expect(sharedReply(line).finish).toBe('length')
  expect(sharedReply({ ...line, id: 'weak-cutter' })).not.toHaveProperty('finish')
})

test('our own set has calls and answers with unique ids, for existing tools', () => {
  const replies = readWeakSets()[0]?.replies ?? []
  expect(new Set(replies.map(({ id }) => id)).size).toBe(replies.length)
  for (const { id, expected, tools = [] } of replies) {
    expect(id.split('-')[0]).toBe(expected.calls.length > 0 ? 'call' : 'answer')
    const names = tools.map(({ name }) => name)
    for (const { name } of expected.calls) expect(names).toContain(name)
  }
})

const right: Verdict = {
  calls: true,
  streamed: true,
  text: undefined,
  same: true,
  invented: undefined,
}
const missed: Verdict = { ...right, calls: false, same: false }
const quiet: Verdict = { ...right, invented: false }
const taken: Verdict = { ...right, calls: false, streamed: false, invented: true }
/** The reader failed on an answer: no call was invented, but the reading is not right either. */
const failed: Verdict = { ...quiet, calls: false, streamed: false, same: false }

test('counts calls as found and answers as taken for calls, separately', () => {
  const reply = { protocol: 'hermes', text: '' }
  const call = { ...reply, expected: { calls: [{ name: 'ping', arguments: {} }] } }
  const answer = { ...reply, expected: { calls: [] } }
  const judged = [
    { reply: { ...call, id: '1' }, verdicts: { ours: right, theirs: missed } },
    { reply: { ...call, id: '2' }, verdicts: { ours: right, theirs: right } },
    { reply: { ...answer, id: '3' }, verdicts: { ours: quiet, theirs: taken } },
    { reply: { ...answer, id: '4' }, verdicts: { ours: quiet, theirs: failed } },
  ]
  expect(summarizeWeak(judged)).toEqual([
    { reader: 'ours', found: [2, 2], streamed: [2, 2], same: [4, 4], taken: [0, 2], wrong: [] },
    {
      reader: 'theirs',
      found: [1, 2],
      streamed: [2, 2],
      same: [2, 4],
      taken: [1, 2],
      wrong: ['1', '3'],
    },
  ])
  expect(summarizeWeak([])).toEqual([])
})
