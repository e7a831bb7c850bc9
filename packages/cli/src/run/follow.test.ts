import { expect, test } from 'vitest'
import type { RunEvent } from '@toolglot/agent'
import { createPromptQueue } from '../person/keyboard.ts'
import { type Ended, follow } from './follow.ts'

/**
 * The summary of a run with these calls, each given as the name of a tool and its argument, and its
 * error code.
 */
async function endOf(...ends: readonly [call: string, code?: string][]): Promise<Ended> {
  async function* events(): AsyncGenerator<RunEvent> {
    const common = { run: 'r', seq: 0, time: 0 }
    for (const [at, [written, code]] of ends.entries()) {
      const [name = '', path = ''] = written.split(' ')
      const id = String(at)
      const args = { path }
      yield { ...common, type: 'call-end', call: { id, name, args } } as unknown as RunEvent
      const failure = {
        tool: name,
        error_type: 'permission_denied',
        message: '',
        details: { code },
      }
      const outcome = code === undefined ? { status: 'success' } : { status: 'denied', failure }
      yield { ...common, type: 'tool-end', call: id, name, outcome } as unknown as RunEvent
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
  ['the same tool was called with other arguments', [['Write a', refused], ['Write b']], true],
  [
    'one of two was written properly',
    [['Write a', refused], ['Write b', refused], ['Write b']],
    true,
  ],
  ['another tool was called later', [['Write', refused], ['Read']], true],
  ['it was written properly, and then not again', [['Write'], ['Write', refused]], true],
  ['all went well', [['Write']], false],
] as const)('%s', async (_, ends, otherProtocol) => {
  expect(await endOf(...ends.map((each) => [...each] as [string, string?]))).toMatchObject({
    otherProtocol,
    nobodyToAsk: false,
  })
})

test('a call without a user to ask remains reported', async () => {
  expect(await endOf(['Write', 'nobody_to_ask'], ['Write'])).toMatchObject({
    nobodyToAsk: true,
    otherProtocol: false,
  })
})
