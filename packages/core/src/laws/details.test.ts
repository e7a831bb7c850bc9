// Law: details give the place of each repair, and recording them changes nothing else.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunked, sizes } from '../../test/chunks.ts'
import { finish } from '../../test/finish.ts'
import { spoiled } from '../../test/mutations.ts'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { kinds, waysOf } from '../../test/sources.ts'
import { read } from '../check/reading.ts'
import type { Call, Event, ParserOptions } from '../index.ts'
import { details } from '../details/details.ts'

function withoutDetails(event: Event): Event {
  if (event.type !== 'call-end') return event
  const { details: _, ...call } = event.call
  return { ...event, call }
}

/**
 * Checks that details are pieces of the call's text, in order, and that they cover all of its
 * repairs.
 */
function expectDetails(text: string, { raw, span, repairs, details }: Call): void {
  expect(details).toBeDefined()
  // In a block with several calls, the first has the span and the details; all have the text.
  if (span[0] === span[1]) {
    expect(details).toEqual([])
    return
  }
  expect([...new Set(details!.map(({ name }) => name))].sort()).toEqual([...repairs].sort())
  const start = span[1] - raw.length
  let last = start
  for (const {
    span: [from, to],
    was,
    became,
  } of details!) {
    expect(from).toBeGreaterThanOrEqual(last)
    expect(to).toBeGreaterThanOrEqual(from)
    expect(to).toBeLessThanOrEqual(span[1])
    expect(was).toBe(text.slice(from, to))
    expect(typeof became).toBe('string')
    last = from
  }
}

describe.each(kinds)('$kind', ({ list }) => {
  test('details are at the places of repairs, in any chunks', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(spoiled(list), sizes, finish, ({ source, text }, pieces, end) => {
        for (const way of waysOf(source)) {
          const options: ParserOptions = { ...way, details }
          const whole = read([text], options, end)
          expect(whole.events.map(withoutDetails)).toEqual(read([text], way, end).events)
          for (const call of whole.reply.calls) expectDetails(text, call)
          for (const chunks of [chunked(text, pieces), text.split('')])
            expect(read(chunks, options, end).reply).toEqual(whole.reply)
        }
      }),
      runs(600),
    )
  })
})
