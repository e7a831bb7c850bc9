import { scriptedModel } from '@toolglot/agent/testing'
import { expect, test } from 'vitest'
import type { Unset } from '../../../../tests/helpers/unset.ts'
import { gatewayWith } from '../../test/gateway-client.ts'
import type { Limits } from '../security/limits.ts'
import { limitsFor } from '../security/limits.ts'
import type { GatewayOptions } from './gateway.ts'
import { helpFor } from './prepare.ts'
import { createResponseStore } from './responses/history.ts'

const options: Unset<GatewayOptions> = {
  ...{ streamArguments: undefined, maxBody: undefined, maxDepth: undefined },
  ...{ heartbeat: undefined, responses: undefined },
}
const messages = [{ role: 'user', content: 'Hi' }]
const gateway = (model = scriptedModel(['Hi'])) =>
  gatewayWith({ model, protocol: 'hermes' }, options)

test('treats undefined options of a gateway as missing', async () => {
  expect((await gateway().chat({ model: 'x', messages })).status).toBe(200)
  const large = { model: 'x', messages: [{ role: 'user', content: 'x'.repeat(40 << 20) }] }
  expect((await gateway().chat(large)).status).toBe(413)
  const deep = `{"model":"x","messages":${'['.repeat(100)}${']'.repeat(100)}}`
  const response = await gateway().chat(deep)
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('deep')])
})

test('does not send comments immediately with undefined options', async () => {
  const patient = {
    ...scriptedModel([]),
    async *reply() {
      await new Promise((resolve) => setTimeout(resolve, 100))
      yield { type: 'text', delta: 'Hi' } as const
      yield { type: 'finish', finish: 'stop' } as const
    },
  }
  const response = await gateway(patient).chat({ model: 'x', messages, stream: true })
  expect((await response.text()).match(/^:.*$/gm) ?? []).toHaveLength(0)
})

test('treats undefined limits of a server as missing', () => {
  const changed = { burst: undefined, gatewayBodySize: undefined, jsonDepth: undefined }
  for (const isLoopback of [true, false])
    expect(limitsFor(isLoopback, changed as unknown as Partial<Limits>)).toEqual(
      limitsFor(isLoopback),
    )
})

test('treats undefined help for a client as that of its model', () => {
  const target = { model: scriptedModel([]), protocol: 'hermes', examples: 2 } as const
  const help = { describeTools: undefined, oneCall: undefined, examples: undefined } as object
  const usual = helpFor(target, 'client/1')
  expect(helpFor({ ...target, clients: { client: help } }, 'client/1')).toEqual(usual)
})

test('treats undefined limits of a store as missing', () => {
  const store = createResponseStore({ count: undefined, size: undefined, age: undefined } as object)
  const response = { id: 'a', previous: undefined, input: [], output: [] }
  expect(store.keep('me', response)).toBe(true)
})
