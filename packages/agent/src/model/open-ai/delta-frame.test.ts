import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelChunk } from '../model.ts'
import { DeltaFrame } from './delta-frame.ts'
import { joinDeltas } from './open-ai-compatible.ts'
import { createReplyReader } from './reply-reader.ts'

const parse = (json: string): readonly ModelChunk[] =>
  createReplyReader().read(JSON.parse(json), json)

/** Reads events as a connection does, and counts how many were parsed. */
function readAll(events: readonly string[]): { chunks: ModelChunk[]; parsed: number } {
  const frame = new DeltaFrame(parse)
  const chunks: ModelChunk[] = []
  let parsed = 0
  for (const json of events) {
    const delta = frame.read(json)
    if (delta) chunks.push(delta)
    else {
      parsed++
      const read = parse(json)
      frame.learn(json, read)
      chunks.push(...read)
    }
  }
  return { chunks: chunks.filter((chunk) => !('delta' in chunk) || chunk.delta !== ''), parsed }
}

const eventOf = (delta: object, more: object = {}): string =>
  JSON.stringify({ id: 'x', ...more, choices: [{ index: 0, delta, finish_reason: null }] })

test('parses events once if they differ only in their text', () => {
  const texts = ['Xin', ' chào', ' thế giới', '', ' 世界 🌏']
  const { chunks, parsed } = readAll(texts.map((content) => eventOf({ content })))
  expect(chunks.map((chunk) => 'delta' in chunk && chunk.delta).join('')).toBe(texts.join(''))
  expect(parsed).toBe(1)
})

test('parses an event whose frame contains more than plain text', () => {
  const content = ['a', 'b"', '\n', '\\', '"},"x":{"content":"']
  const events = content.map((each) => eventOf({ content: each }))
  expect(readAll(events)).toEqual({
    chunks: content.map((delta) => ({ type: 'text', delta })),
    parsed: content.length,
  })
})

const piece = fc.oneof(
  fc.string({ maxLength: 6, unit: 'grapheme' }),
  fc.constantFrom(':', ',', 'content', 'index', 'id', '"', '\\', '\n', '","', 'probe', '{', 'x'),
)
const message = fc.oneof(
  fc.record({ content: piece }),
  fc.record({ reasoning_content: piece }),
  fc.record({ content: piece, reasoning_content: piece }),
  fc.record({ content: piece, refusal: piece }),
  fc.record({ content: fc.array(fc.record({ type: fc.constant('text'), text: piece })) }),
)
const around = fc.record(
  { id: piece, object: piece, content: piece, usage: fc.constant(null) },
  { requiredKeys: [] },
)

test('any events are read as if each one were parsed', () => {
  const stream = fc
    .tuple(fc.array(around, { minLength: 1, maxLength: 2 }), fc.array(message, { maxLength: 30 }))
    .map(([frames, messages]) =>
      messages.map((each, at) => eventOf(each, frames[at % frames.length])),
    )
  fc.assert(
    fc.property(stream, (events) => {
      const expected = events.flatMap(parse)
      const { chunks } = readAll(events)
      expect(chunks).toEqual(expected)
      const joined = [...joinDeltas(chunks)]
      const textOf = (all: readonly ModelChunk[], type: string): string =>
        all.map((each) => ('delta' in each && each.type === type ? each.delta : '')).join('')
      for (const type of ['text', 'reasoning'])
        expect(textOf(joined, type)).toBe(textOf(expected, type))
      expect(joined.every((each, at) => each.type !== joined[at - 1]?.type)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('stops learning from events that never repeat', () => {
  let parses = 0
  const frame = new DeltaFrame((json) => {
    parses++
    return parse(json)
  })
  for (let at = 0; at < 1000; at++) {
    const json = eventOf({ content: 'a' }, { id: String(at) })
    expect(frame.read(json)).toBe(undefined)
    frame.learn(json, parse(json))
  }
  expect(parses).toBeLessThan(20)
})

test('yields text before an error', () => {
  function* failing(): Generator<ModelChunk> {
    yield { type: 'text', delta: 'a' }
    yield { type: 'text', delta: 'b' }
    throw new Error('Broken.')
  }
  const seen: ModelChunk[] = []
  const read = (): void => {
    for (const chunk of joinDeltas(failing())) seen.push(chunk)
  }
  expect(read).toThrow('Broken.')
  expect(seen).toEqual([{ type: 'text', delta: 'ab' }])
})
