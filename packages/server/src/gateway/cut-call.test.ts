import type { Finish } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import { callingModel, gatewayWith } from '../../test/gateway-client.ts'

const bash = { type: 'function', function: { name: 'bash', parameters: { type: 'object' } } }
const request = { model: 'any', messages: [{ role: 'user', content: 'Tidy up' }], tools: [bash] }

/**
 * Occurs in a response only if it contains the call: a call that was cut off is sent as plain text.
 */
const CALL = '"name":"bash"'

const WHOLE = '{"command": "rm -rf /tmp/a", "in": {"a": 1}}'

describe.each<Finish>(['stop', 'stop-string', 'length', 'broken'])(
  'of a native call whose reply ended with %s',
  (finish) => {
    test.each([false, true])(
      'never sends an incomplete call as a complete one (stream: %s)',
      async (stream) => {
        for (let at = 1; at < WHOLE.length; at += 3) {
          const client = gatewayWith({ model: callingModel(WHOLE.slice(0, at), finish) })
          expect(await (await client.chat({ ...request, stream })).text()).not.toContain(CALL)
        }
        const client = gatewayWith({ model: callingModel(WHOLE, finish) })
        const text = await (await client.chat({ ...request, stream })).text()
        expect(text.includes(CALL)).toBe(finish !== 'broken' || stream)
      },
    )

    test('ends with an error if the beginning of an incomplete call was streamed', async () => {
      const client = gatewayWith(
        { model: callingModel(WHOLE.slice(0, -1), finish) },
        { streamArguments: true },
      )
      const text = await (await client.chat({ ...request, stream: true })).text()
      expect(text).toContain('"error"')
      expect(text).not.toContain('"finish_reason":"tool_calls"')
    })
  },
)
