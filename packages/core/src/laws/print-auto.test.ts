// Law 4 without a selected protocol: printed calls are read back and streamed as JSON.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callsOf, isBeyond } from '../../test/printable-calls.ts'
import { printTools as tools } from '../check/print-tools.ts'
import { read } from '../check/reading.ts'
import { HOURS, runs, share } from '../../../../tests/helpers/size.ts'
import { expectSoundEvents } from '../../test/sound-events.ts'
import { printCalls, protocols } from '../index.ts'

const all = Object.values(protocols)

describe.each(share(all, 3))('$id', (protocol) => {
  test('printed calls are read back', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(callsOf(protocol), (given) => {
        fc.pre(!given.some(({ args }) => isBeyond(protocol, args)))
        const whole = read([printCalls(protocol, given)], { tools })
        expectSoundEvents(whole)
        expect(
          whole.reply.calls.map(({ name, args, complete }) => ({ name, args, complete })),
        ).toEqual(given.map(({ name, args }) => ({ name, args, complete: true })))
        expect(whole.reply.text.trim()).toBe('')
      }),
      runs(60),
    )
  })
})
