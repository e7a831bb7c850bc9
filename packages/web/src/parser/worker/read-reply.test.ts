import { collectReply, parse, protocols } from '@toolglot/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KINDS, type Pieces } from './messages.ts'
import { compareProtocols } from './compare-protocols.ts'
import { readReply } from './read-reply.ts'
import { runs } from '../../../../../tests/helpers/size.ts'

const options = { protocol: 'auto', finish: 'stop', startsInReasoning: false } as const
const never = (): undefined => undefined

const piece = fc.constantFrom(
  'Some text. ',
  '<think>why</think>',
  '<tool_call>{"name": "Read", "arguments": {"a": "b",}}</tool_call>',
  '<tool_call>{"name": "Re',
  '<tool_call>oops</tool_call>',
  '<tool_response>made up</tool_response>',
  '<ptk_batch>[{"tool": "a", "args": {}}, {"tool": "b", "args": {}}]</ptk_batch>',
  '```\n',
  '\ud800',
  '\n',
)
const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))

function asPairs({ kinds, ends }: Pieces, count = kinds.length): (readonly [string, number])[] {
  return Array.from({ length: count }, (_, at) => [KINDS[kinds[at]!]!, ends[at]!] as const)
}

test('the reading at each step matches collectReply for the events so far', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 20 }), async (text, chunk) => {
      const { stored, reading } = await readReply({ text, options, chunk }, never)
      const { steps } = reading
      for (let step = 0; step <= steps.count; step++) {
        const { segments } = collectReply(stored.events.slice(0, stored.eventEnds[step]))
        const shown = asPairs(reading, steps.pieces[step])
        const last = shown.at(-1)
        if (last) shown[shown.length - 1] = [last[0], steps.places[step]!]
        expect(shown).toEqual(
          segments.map(({ type, span }) => [type === 'result' ? 'made-up' : type, span[1]]),
        )
      }
    }),
    runs(100),
  )
})

test('a comparison matches parse with each protocol separately', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const { pieces, comparison } = await compareProtocols(text, options, never)
      expect(comparison.count).toBe(Object.keys(protocols).length)
      for (const id of Object.keys(protocols)) {
        const { segments, calls } = parse(text, { protocols: protocols[id]! })
        expect(asPairs(pieces.get(id)!)).toEqual(
          segments.map(({ type, span }) => [type === 'result' ? 'made-up' : type, span[1]]),
        )
        const track = comparison.tracks.find((each) => each.protocols.includes(id))!
        expect(track.counts.calls).toBe(calls.length)
      }
    }),
    runs(20),
  )
})

test('throws for an unknown protocol, and reads nothing with an invalid drawn one', async () => {
  const text = '<tool_call>{"name": "a", "arguments": {}}</tool_call>'
  for (const protocol of ['nope', 'own:x', '__proto__', ''])
    await expect(
      readReply({ text, options: { ...options, protocol }, chunk: 3 }, never),
    ).rejects.toThrow('There is no protocol')
  const drawn = { ...options, protocol: 'drawn', drawn: 'export default nonsense(' }
  const { reading } = await readReply({ text, options: drawn, chunk: 3 }, never)
  expect(reading.hasProtocol).toBe(false)
  expect(asPairs(reading)).toEqual([['text', text.length]])
})

test('a reply parsed on the server has the same reading, piece by piece', async () => {
  const text = 'Hi <tool_call>{"name": "a", "arguments": {}}</tool_call> and <think>x</think>'
  const elsewhere = parse(text)
  const { reading } = await readReply({ text, options, chunk: 3, elsewhere }, never)
  const { reading: here } = await readReply({ text, options, chunk: 3 }, never)
  expect(asPairs(reading)).toEqual(asPairs(here))
  expect(reading.counts).toEqual(here.counts)
})
