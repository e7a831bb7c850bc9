import type { RunCall } from '@toolglot/agent'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerEvent } from './answer-event.ts'
import { BlockReader, blocksOf } from './blocks.ts'

const end: AnswerEvent = { type: 'end', end: { reason: 'answer', usage: { input: 1, output: 1 } } }

/** Calls with their events in any order that a model may use. */
const answers = fc
  .record({
    calls: fc.array(fc.array(fc.string(), { maxLength: 4 }), { maxLength: 4 }),
    order: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
    before: fc.array(fc.constantFrom<'text' | 'reasoning'>('text', 'reasoning'), { maxLength: 5 }),
  })
  .map(({ calls, order, before }) => {
    const waiting = calls.map((deltas, index): AnswerEvent[] => [
      { type: 'call-start', index, id: `id-${index}`, name: 'look' },
      ...deltas.map((delta): AnswerEvent => ({ type: 'call-delta', index, delta })),
      { type: 'call-end', index, call: { id: `id-${index}` } as RunCall },
    ])
    const events: AnswerEvent[] = before.map((type) => ({ type, delta: 'x' }))
    for (const choice of order) {
      const left = waiting.filter((each) => each.length > 0)
      if (left.length === 0) break
      events.push(left[choice % left.length]!.shift()!)
    }
    return { calls, events: [...events, ...waiting.flat(), end] }
  })

test('blocks are consecutive and complete', () => {
  fc.assert(
    fc.property(answers, ({ calls, events }) => {
      const reader = new BlockReader()
      let open: number | undefined
      let next = 0
      for (const step of events.flatMap((event) => [...reader.read(event)])) {
        if (step.type === 'start') {
          expect(open).toBe(undefined)
          expect(step.index).toBe(next++)
          open = step.index
        } else if (step.type !== 'end') {
          expect(step.index).toBe(open)
          if (step.type === 'stop') open = undefined
        } else expect(open).toBe(undefined)
      }
      const found = new Map(
        blocksOf(events).blocks.flatMap((block) =>
          block.kind === 'call' ? [[block.call.id, block.json]] : [],
        ),
      )
      expect(found.size).toBe(calls.length)
      calls.forEach((deltas, index) => expect(found.get(`id-${index}`)).toBe(deltas.join('')))
    }),
  )
})
