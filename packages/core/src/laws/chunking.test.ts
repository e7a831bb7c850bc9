// Law 1 on damaged replies: the events are the same however a reply is split into chunks.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunked, sizes } from '../../test/chunks.ts'
import { folded } from '../../test/folded.ts'
import { spoiled } from '../../test/mutations.ts'
import { read } from '../check/reading.ts'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { kinds, waysOf } from '../../test/sources.ts'
import { finish } from '../../test/finish.ts'

describe.each(kinds)('$kind', ({ list }) => {
  test('any chunking gives the same events', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(
        spoiled(list),
        sizes,
        finish,
        fc.boolean(),
        ({ source, text }, pieces, end, repairs) => {
          for (const way of waysOf(source)) {
            const options = { ...way, repairs }
            const whole = read([text], options, end)
            const expected = folded(whole.events)
            for (const chunks of [chunked(text, pieces), text.split('')]) {
              const parts = read(chunks, options, end)
              expect(parts.reply).toEqual(whole.reply)
              expect(folded(parts.events)).toEqual(expected)
            }
          }
        },
      ),
      runs(600),
    )
  })
})
