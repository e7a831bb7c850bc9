import { expect, test } from 'vitest'
import type { RunEvent } from '@toolglot/agent'
import { createPromptQueue } from '../person/prompt-queue.ts'
import { type Ended, follow } from './follow.ts'

/** How calls that ended like this are reported at the end. */
async function endOf(...ends: readonly [name: string, code?: string][]): Promise<Ended> {
  async function* events(): AsyncGenerator<RunEvent> {
    const common = { run: 'r', seq: 0, time: 0 }
    for (const [name, code] of ends) {
      const failure = {
        tool: name,
        error_type: 'permission_denied',
        message: '',
        details: { code },
      }
      const outcome = code === undefined ? { status: 'success' } : { status: 'denied', failure }
      yield { ...common, type: 'tool-end', call: '', name, outcome } as unknown as RunEvent
    }
    const usage = { input: 0, output: 0 }
    yield { ...common, type: 'run-end', reason: 'answer', text: '', usage }
  }
  return follow(events(), { show: () => {}, promptQueue: createPromptQueue() })
}

const refused = 'other_protocol'

test.each([
  ['a call was refused because of how it was written', [['Write', refused]], true],
  ['it was written properly later', [['Write', refused], ['Write']], false],
  ['another tool was called later', [['Write', refused], ['Read']], true],
  ['it was written properly, and then not again', [['Write'], ['Write', refused]], true],
  ['all went well', [['Write']], false],
] as const)('%s', async (_, ends, otherProtocol) => {
  expect(await endOf(...ends.map((each) => [...each] as [string, string?]))).toMatchObject({
    otherProtocol,
    nobodyToAsk: false,
  })
})

test('a call that nobody could be asked about stays reported', async () => {
  expect(await endOf(['Write', 'nobody_to_ask'], ['Write'])).toMatchObject({
    nobodyToAsk: true,
    otherProtocol: false,
  })
})
