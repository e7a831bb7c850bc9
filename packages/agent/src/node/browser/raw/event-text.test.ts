import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ModelError } from '../../../model/model-error.ts'
import { createEventText } from './event-text.ts'

const delta = { text: 'choices.0.delta.content' } as const

function event(text: string): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`
}

test('extracts the text from events in any chunking', () => {
  const parts = fc.array(fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(parts, fc.integer({ min: 1, max: 40 }), fc.boolean(), (texts, size, isLines) => {
      const whole = isLines
        ? texts.map((_, at) => JSON.stringify({ text: texts.slice(0, at + 1).join('') })).join('\n')
        : `event: x\n: note\n\n${texts.map(event).join('data: [DONE]\n\ndata: {"other":1}\n\n')}`
      const reader = createEventText(
        isLines ? { text: 'text', events: 'lines', whole: true } : delta,
      )
      let read = ''
      for (let at = 0; at < whole.length; at += size)
        read += reader.feed(whole.slice(at, at + size))
      expect(read + reader.end()).toBe(texts.join(''))
    }),
  )
})

test('counts only own members that are strings', () => {
  const read = (path: string, value: unknown): string =>
    createEventText({ text: path }).feed(`data: ${JSON.stringify(value)}\n\n`)
  expect(read('constructor.name', {})).toBe('')
  expect(read('a.b', { a: { b: 3 } })).toBe('')
  expect(read('a.b', { a: 'text' })).toBe('')
  expect(read('a.1', { a: ['x', 'y'] })).toBe('y')
})

test('unreadable events are an error', () => {
  expect(() => createEventText(delta).feed('<!doctype html>\n')).toThrow(ModelError)
  const whole = createEventText({ text: 'text', events: 'lines', whole: true })
  whole.feed('{"text":"abc"}\n')
  expect(() => whole.feed('{"text":"xbcd"}\n')).toThrow(/changed the beginning/)
  expect(() => createEventText(delta).feed('x'.repeat(17 << 20))).toThrow(/exceeds/)
})

test('a line in many pieces takes linear time', () => {
  const reader = createEventText({ text: 'text', events: 'lines' })
  for (let at = 0; at < 100_000; at++) reader.feed(' '.repeat(100))
  expect(reader.feed('{"text":"end"}\n')).toBe('end')
})
