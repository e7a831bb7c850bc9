import { expect, test } from 'vitest'
import type { MessageCall } from '../model/chat-message.ts'
import { KeptReplies } from './conversation.ts'

const call = (at: number, args: MessageCall['args'] = {}): MessageCall => ({
  id: `c${at}`,
  name: 'look',
  args,
})
const message = (at: number) =>
  ({ role: 'assistant', content: `raw ${at}`, protocol: 'hermes' }) as const

test('a kept reply is found only by its owner, and the oldest is dropped', () => {
  const replies = new KeptReplies(5000)
  for (let at = 0; at < 20; at++) replies.keep({ text: '', calls: [call(at)] }, message(at), 'me')
  const find = (owner: string, at: number): unknown =>
    replies.find({ text: '', calls: [call(at)] }, owner)
  expect(find('me', 19)).toEqual(message(19))
  expect(find('me', 0)).toBe(undefined)
  expect(find('you', 19)).toBe(undefined)
  expect(replies.find({ text: '', calls: [call(19)] })).toBe(undefined)
})

test('counts a reply once if it is stored twice', () => {
  const replies = new KeptReplies(2000)
  replies.keep({ text: '', calls: [call(0)] }, message(0))
  for (let at = 0; at < 20; at++) replies.keep({ text: '', calls: [call(1)] }, message(1))
  expect(replies.find({ text: '', calls: [call(0)] })).toEqual(message(0))
})

test.each<[string, string, readonly MessageCall[], boolean]>([
  ['unchanged', 'Look.', [call(0, { a: 1, b: { c: 2, d: 3 } }), call(1)], true],
  ['with other white space', ' Look.\n', [call(0, { a: 1, b: { c: 2, d: 3 } }), call(1)], true],
  ['without its text', '', [call(0, { a: 1, b: { c: 2, d: 3 } }), call(1)], true],
  ['in another order of keys', 'Look.', [call(0, { b: { d: 3, c: 2 }, a: 1 }), call(1)], true],
  ['with another text', 'Stop.', [call(0, { a: 1, b: { c: 2, d: 3 } }), call(1)], false],
  ['with other arguments', 'Look.', [call(0, { a: 2, b: { c: 2, d: 3 } }), call(1)], false],
  ['with fewer calls', 'Look.', [call(0, { a: 1, b: { c: 2, d: 3 } })], false],
  ['with another call', 'Look.', [call(0, { a: 1, b: { c: 2, d: 3 } }), call(2)], false],
  ['without calls', 'Look.', [], false],
])('looks up a reply sent back %s', (_, text, calls, isFound) => {
  const replies = new KeptReplies(2000)
  const kept = { text: 'Look.', calls: [call(0, { a: 1, b: { c: 2, d: 3 } }), call(1)] }
  replies.keep(kept, message(0))
  expect(replies.find({ text, calls })).toEqual(isFound ? message(0) : undefined)
})
