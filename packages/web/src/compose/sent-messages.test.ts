import type { Item } from '@toolglot/react/view'
import { expect, test } from 'vitest'
import { promptsIn, readSent, unreadMessages, writeSent } from './sent-messages.ts'

const prompt = (text: string): Item => ({
  type: 'prompt',
  id: text,
  text,
  images: 0,
  time: 0,
  turn: 0,
})
const turn: Item = { type: 'turn', id: 't', turn: 0, parts: [], started: 0, isOpen: true }
const unread = (sent: Parameters<typeof unreadMessages>[0], items: readonly Item[]) =>
  unreadMessages(sent, promptsIn(items))

test('a message is unread until the run contains it', () => {
  const sent = [{ text: 'more', after: 1 }]
  expect(unread(sent, [prompt('go'), turn])).toEqual(sent)
  expect(unread(sent, [prompt('go'), turn, turn])).toEqual(sent)
  expect(unread(sent, [prompt('go'), turn, prompt('more\n\na.txt:\n\nx')])).toEqual([])
})

test('ignores removed preview items', () => {
  const sent = [{ text: 'more', after: promptsIn([prompt('go'), turn, turn]).length }]
  expect(unread(sent, [prompt('go'), prompt('more')])).toEqual([])
})

test('ignores an earlier message with the same words', () => {
  const sent = [{ text: 'go', after: 1 }]
  expect(unread(sent, [prompt('go'), turn])).toEqual(sent)
})

test('counts the same words twice as two messages', () => {
  const sent = [
    { text: 'go', after: 0 },
    { text: 'go', after: 0 },
  ]
  expect(unread(sent, [turn, prompt('go')])).toHaveLength(1)
  expect(unread(sent, [turn, prompt('go'), prompt('go')])).toEqual([])
})

test('after a reload, leaves out a message until the ones before it have been loaded', () => {
  const sent = readSent(writeSent([{ text: 'more', after: 1 }]))
  expect(unread(sent, [])).toEqual([])
  expect(unread(sent, [prompt('go')])).toEqual([{ text: 'more', after: 1 }])
  expect(writeSent([])).toBeUndefined()
})

test.each([undefined, '', '{', '5', 'null', '{"text":"a"}', '[null,5,{"text":7,"after":0},[]]'])(
  'ignores invalid stored data: %j',
  (stored) => expect(readSent(stored)).toEqual([]),
)
