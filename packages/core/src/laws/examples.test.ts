// The laws on every example. `npm run test:long` tries every position.
import { describe, expect, test } from 'vitest'
import { examples } from '../../test/examples.ts'
import { tools } from '../../test/known-tools.ts'
import { expectNothingLost } from '../../test/nothing-lost.ts'
import { completeCalls, read } from '../check/reading.ts'
import { expectSoundEvents } from '../../test/sound-events.ts'
import { longTest, placesIn } from '../../../../tests/helpers/size.ts'

const numbered = examples.map((each, number) => ({ ...each, number }))

describe.each(numbered)('$protocol.id: $title', ({ protocol, example, number }) => {
  const testMany = number % 3 === 0 ? test : longTest

  const options = { tools, protocols: protocol }
  const whole = read([example.wire], options)

  test('is read as expected', () => {
    expect({
      text: whole.reply.text,
      reasoning: whole.reply.reasoning,
      calls: completeCalls(whole),
      malformed: whole.reply.segments.flatMap((part) =>
        part.type === 'malformed' ? [part.problem] : [],
      ),
      repairs: [...new Set(whole.reply.calls.flatMap(({ repairs }) => repairs))],
    }).toEqual({
      text: example.text ?? '',
      reasoning: example.reasoning ?? '',
      calls: example.calls ?? [],
      malformed: example.malformed ?? [],
      repairs: example.repairs ?? [],
    })
    expectNothingLost(example.wire, whole)
    expectSoundEvents(whole)
  })

  test('gives the same result with all protocols', () => {
    const auto = read([example.wire], { tools })
    expect(completeCalls(auto)).toEqual(completeCalls(whole))
    expect(auto.reply.text).toBe(whole.reply.text)
  })

  testMany('any chunking gives the same reply', () => {
    expect(read(example.wire.split(''), options).reply).toEqual(whole.reply)
    for (const i of placesIn(example.wire)) {
      const halves = [example.wire.slice(0, i), example.wire.slice(i)]
      expect(read(halves, options).reply).toEqual(whole.reply)
    }
  })

  testMany('a cut invents nothing', () => {
    for (const i of placesIn(example.wire)) {
      const text = example.wire.slice(0, i)
      const cut = read([text], options, 'length')
      const calls = completeCalls(cut)
      expect(calls).toEqual(completeCalls(whole).slice(0, calls.length))
      expectNothingLost(text, cut)
      expectSoundEvents(cut)
    }
  })

  test('surrounding text is kept exactly', () => {
    const around = read([`a < b [ { 「 ${example.wire}`, ' c > d'], options)
    expect(around.reply.text.startsWith('a < b [ { 「 ')).toBe(true)
    expect(around.reply.text.endsWith(' c > d')).toBe(true)
  })
})
