// Law 3 on spoiled replies: a reply that was cut has no call to run that the whole one has not.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spoiled } from '../../fixtures/mutations.ts'
import { complete, type Read, read } from '../../fixtures/read.ts'
import { HOURS, runs } from '../../fixtures/runs.ts'
import { kinds, waysOf } from '../../fixtures/sources.ts'

/** Calls to run; but not those inside a block that could not be read: for them the law does not hold yet. */
function settled({ reply }: Read): [name: string, args: unknown][] {
  const calls = reply.calls.filter(({ afterMalformed }) => !afterMalformed)
  return complete({ events: [], reply: { ...reply, calls } })
}

const cuts = fc.array(fc.nat({ max: 4000 }), { minLength: 1, maxLength: 6 })

describe.each(kinds)('$kind', ({ list, skip }) => {
  test.skipIf(skip)('a cut invents nothing', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(
        spoiled(list),
        cuts,
        fc.constantFrom('length' as const, 'broken' as const),
        ({ source, text }, places, end) => {
          for (const way of waysOf(source)) {
            const whole = complete(read([text], way))
            for (const place of places) {
              const start = text.slice(0, place % (text.length + 1))
              const calls = settled(read([start], way, end))
              for (const call of calls) expect(whole).toContainEqual(call)
            }
          }
        },
      ),
      runs(500),
    )
  })
})
