import { trace } from '@opentelemetry/api'
import { expect, test } from 'vitest'
import { call, optionsFor } from '../../../test/recorded-spans.ts'
import { tool } from '../../tool/tool.ts'
import { collect } from '../run-result.ts'
import { run } from '../run.ts'

test('creates no spans without an SDK', async () => {
  const seen: (string | undefined)[] = []
  const looking = tool({
    name: 'looking',
    description: 'Looks at the current span',
    parameters: { type: 'object', properties: {} },
    readOnly: true,
    execute: () => {
      seen.push(trace.getActiveSpan()?.spanContext().traceId)
      return 'nothing'
    },
  })
  const options = optionsFor([call('looking'), 'Done.'], { tools: [looking] })
  expect(await collect(run(options))).toMatchObject({ reason: 'answer' })
  expect(seen).toEqual([undefined])
})
