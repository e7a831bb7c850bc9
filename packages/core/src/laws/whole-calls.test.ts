// `wholeCalls` on damaged replies: it passes on exactly the complete calls, and no text is lost.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunked, sizes } from '../../test/chunks.ts'
import { finish } from '../../test/finish.ts'
import { spoiled } from '../../test/mutations.ts'
import { expectNothingLost } from '../../test/nothing-lost.ts'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { kinds, waysOf } from '../../test/sources.ts'
import { read } from '../check/reading.ts'
import { collectReply, type Event, wholeCalls } from '../index.ts'

async function shown(events: readonly Event[]): Promise<Event[]> {
  const list = []
  for await (const event of wholeCalls(events)) list.push(event)
  return list
}

/**
 * Checks that each call is three consecutive events, numbered from 0, whose delta is the JSON of
 * the arguments.
 */
function expectWhole(events: readonly Event[]): void {
  const held = events.filter(({ type }) => type.startsWith('call-'))
  let index = 0
  for (let i = 0; i < held.length; i += 3) {
    const at = events.indexOf(held[i]!)
    const [start, delta, end] = events.slice(at, at + 3)
    if (start?.type !== 'call-start' || delta?.type !== 'call-delta' || end?.type !== 'call-end')
      throw new Error(`The events of call ${index} do not follow each other.`)
    expect([start.index, delta.index, end.index]).toEqual([index, index, index])
    expect([start.id, start.name, end.call.complete]).toEqual([end.call.id, end.call.name, true])
    expect(JSON.parse(delta.delta)).toEqual(end.call.args)
    index++
  }
  for (const event of events) if (event.type === 'malformed') expect(event.index).toBeUndefined()
}

describe.each(kinds)('$kind', ({ list }) => {
  test(
    'complete calls pass through whole, and all other events are unchanged',
    { timeout: HOURS },
    async () => {
      await fc.assert(
        fc.asyncProperty(spoiled(list), sizes, finish, async ({ source, text }, pieces, end) => {
          for (const way of waysOf(source)) {
            const { events, reply } = read(chunked(text, pieces), way, end)
            const whole = await shown(events)
            expectWhole(whole)
            const collected = collectReply(whole)
            expect(collected.calls).toEqual(reply.calls.filter(({ complete }) => complete))
            expect(collected.segments.map(({ span }) => span)).toEqual(
              reply.segments.map(({ span }) => span),
            )
            expectNothingLost(text, { events: whole, reply: collected })
            const others = (given: readonly Event[]): Event[] =>
              given.filter(({ type }) => !type.startsWith('call-') && type !== 'malformed')
            expect(others(whole)).toEqual(others(events))
          }
        }),
        runs(200),
      )
    },
  )
})
