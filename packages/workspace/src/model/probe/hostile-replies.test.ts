import type { Model } from '@toolglot/agent'
import { printCalls, protocols } from '@toolglot/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { said, WANTED } from '../../../test/probe-fakes.ts'
import { probeModel } from './probe-model.ts'
import { runs } from '../../../../../tests/helpers/size.ts'

test('the probe ends after at most four requests per dialect, regardless of the replies', async () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      ...WANTED.flatMap((each) =>
        [protocols.hermes, protocols['tool-xml']].map((p) => printCalls(p, [each])),
      ),
      '<tool_call>',
      '</note>',
      '4817',
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(piece), { minLength: 1 }), async (replies) => {
      let asked = 0
      const model: Model = {
        name: 'fake',
        async *reply() {
          yield* said(replies[asked++ % replies.length]!.join('\n'))
        },
      }
      const { tried, best } = await probeModel(model)
      expect(asked).toBeLessThanOrEqual(4 * tried.length)
      const done = tried.some(({ tasks }) =>
        tasks.some(({ outcome }) => outcome === 'done' || outcome === 'repaired'),
      )
      expect(best !== undefined).toBe(done)
    }),
    runs(150),
  )
})
