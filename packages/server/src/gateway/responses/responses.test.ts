import { textOf } from '@toolglot/agent/internal'
import { scriptedModel } from '@toolglot/agent/testing'
import { printCalls } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import { checkResponsesStream } from '../../../test/check-responses-stream.ts'
import { gatewayWith } from '../../../test/gateway-client.ts'

const path = '/v1/responses'
const clock = { type: 'function', name: 'clock', parameters: { type: 'object' } }

interface Answer {
  readonly id: string
  readonly store: boolean
  readonly output: readonly { readonly type: string; readonly id: string }[]
  readonly error: { readonly code: string; readonly param: string } | null
}

/** A gateway whose model writes these replies. */
function gateway(...replies: string[]) {
  const model = scriptedModel(replies, { roles: ['system'] })
  const client = gatewayWith({ model, protocol: 'hermes' })
  return {
    /** The text of the last request to the model. */
    prompt: () => model.requests.at(-1)!.messages.map(({ content }) => textOf(content)),
    ask: async (body: object, owner?: string): Promise<Answer> => {
      const response = await client.send(path, { model: 'any', ...body }, undefined, owner)
      return (await response.json()) as Answer
    },
    stream: async (body: object) => {
      const response = await client.send(path, { model: 'any', stream: true, ...body })
      const text = await response.text()
      const checked = checkResponsesStream(text)
      expect(checked.problems, text).toEqual([])
      return checked
    },
  }
}

const call = (name: string, args: Record<string, unknown> = {}): string =>
  printCalls('hermes', [{ name, args }])

describe('previous_response_id', () => {
  test('continues a conversation without its instructions', async () => {
    const { ask, prompt } = gateway('One.', 'Two.', 'Three.')
    const first = await ask({ instructions: 'Be brief.', input: 'A?' })
    const second = await ask({ previous_response_id: first.id, input: 'B?' })
    await ask({ previous_response_id: second.id, input: 'C?', instructions: 'Be kind.' })
    expect(prompt()).toEqual(['Be kind.', 'A?', 'One.', 'B?', 'Two.', 'C?'])
    // The same response can be continued a second time.
    const { ask: askOther, prompt: otherPrompt } = gateway('One.', 'Two.', 'Three.')
    const root = await askOther({ input: 'A?' })
    await askOther({ previous_response_id: root.id, input: 'B?' })
    await askOther({ previous_response_id: root.id, input: 'C?' })
    expect(otherPrompt()).toEqual(['A?', 'One.', 'C?'])
  })

  test.each([
    ['one that never was', { id: 'resp_x' }, {}],
    ['one of another owner', {}, {}, 'someone else'],
    ['one that was not to be kept', {}, { store: false }],
  ])('%s', async (_, given: { id?: string }, options: object, owner?: string) => {
    const { ask } = gateway('One.', 'Two.')
    const first = await ask({ input: 'A?', ...options })
    const next = { input: 'B?', previous_response_id: given.id ?? first.id }
    expect((await ask(next, owner)).error).toMatchObject({
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    })
  })
})

describe('item_reference', () => {
  test('refers to an answer; reasoning is omitted', async () => {
    const { ask, prompt } = gateway(`<think>\nHm.\n</think>\nOne.\n${call('clock')}`, 'Two.')
    const { output } = await ask({ input: 'A?', tools: [clock] })
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call'])
    const { call_id: id } = output[2] as unknown as { call_id: string }
    await ask({
      tools: [clock],
      input: [
        { role: 'user', content: 'A?' },
        ...output.map((item) => ({ type: 'item_reference', id: item.id })),
        { type: 'function_call_output', call_id: id, output: 'noon' },
      ],
    })
    const [, , reply, results] = prompt()
    // The history contains the model's own words.
    expect(reply).toContain(`One.\n${call('clock')}`)
    expect(results).toContain('noon')
  })

  test('fails for an unknown id', async () => {
    const { ask } = gateway()
    const input = [{ type: 'item_reference', id: 'msg_x' }]
    expect((await ask({ input })).error).toMatchObject({
      code: 'item_not_found',
      param: 'input[0].id',
    })
  })
})

test('reports that a response is too large to be stored', async () => {
  const { ask } = gateway('One.')
  expect((await ask({ input: 'A?' })).store).toBe(true)
  const { ask: askLong } = gateway('One.', 'Two.')
  const large = await askLong({ input: 'x'.repeat(17 << 20) })
  expect(large.store).toBe(false)
  const next = await askLong({ input: 'B?', previous_response_id: large.id })
  expect(next.error?.code).toBe('previous_response_not_found')
})

describe('tools', () => {
  const patch = '*** Begin Patch\n"quoted"\n*** End Patch'
  const custom = {
    type: 'custom',
    name: 'apply_patch',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch"' },
  }
  const namespace = { type: 'namespace', name: 'agents', description: 'Others', tools: [clock] }

  test('that are custom accept and return text', async () => {
    const { ask, prompt } = gateway(call('apply_patch', { input: patch }), 'Done.')
    const first = await ask({ input: 'A?', tools: [custom] })
    expect(prompt()[0]).toContain('*** Begin Patch')
    expect(first.output).toMatchObject([
      { type: 'custom_tool_call', name: 'apply_patch', input: patch, status: 'completed' },
    ])
    const result = { type: 'custom_tool_call_output', call_id: 'x', output: 'Patched.' }
    await ask({
      tools: [custom],
      input: [
        { role: 'user', content: 'A?' },
        { type: 'custom_tool_call', call_id: 'x', name: 'apply_patch', input: patch },
        result,
      ],
    })
    expect(prompt()[2]).toContain(call('apply_patch', { input: patch }))
    expect(prompt()[3]).toContain('Patched.')
  })

  test('that are custom stream', async () => {
    const { stream } = gateway(call('apply_patch', { input: patch }))
    const { calls } = await stream({ input: 'A?', tools: [custom] })
    expect(calls).toMatchObject([
      { name: 'apply_patch', arguments: JSON.stringify({ input: patch }) },
    ])
  })

  test('in a namespace get its name as a prefix, which calls do not have', async () => {
    const { ask, prompt } = gateway(call('agents__clock'), 'Done.')
    const first = await ask({ input: 'A?', tools: [namespace] })
    expect(prompt()[0]).toContain('agents__clock')
    expect(first.output).toMatchObject([
      { type: 'function_call', namespace: 'agents', name: 'clock' },
    ])
    await ask({
      tools: [namespace],
      input: [
        { role: 'user', content: 'A?' },
        { type: 'function_call', call_id: 'x', namespace: 'agents', name: 'clock', arguments: '' },
        { type: 'function_call_output', call_id: 'x', output: 'noon' },
      ],
    })
    expect(prompt()[2]).toContain(call('agents__clock'))
  })

  test('with the same name, once in a namespace', async () => {
    const { ask } = gateway()
    const same = { ...clock, name: 'agents__clock' }
    const { error } = await ask({ input: 'A?', tools: [namespace, same] })
    expect(error).toMatchObject({ code: 'invalid_request' })
  })
})

test('in namespaces count towards the limit of a request', async () => {
  const { ask } = gateway()
  const tools = Array.from({ length: 600 }, (_, at) => ({ ...clock, name: `clock${at}` }))
  const spaces = ['one', 'other'].map((name) => ({ type: 'namespace', name, tools }))
  const { error } = await ask({ input: 'A?', tools: spaces })
  expect(error).toMatchObject({ code: 'invalid_request', param: 'tools' })
})

test('parses endlessly nested arguments in the history as text', async () => {
  const { ask, prompt } = gateway('Yes.')
  const input = [
    { role: 'user', content: 'A?' },
    { type: 'function_call', call_id: 'x', name: 'clock', arguments: '{"a":'.repeat(200_000) },
    {
      type: 'function_call',
      call_id: 'y',
      name: 'clock',
      arguments: `${'{"a":'.repeat(9999)}1${'}'.repeat(9999)}`,
    },
    { type: 'function_call_output', call_id: 'x', output: 'noon' },
  ]
  expect((await ask({ input })).error).toBe(null)
  expect(prompt().join()).toContain('noon')
})

test('refuses an unknown item with its position', async () => {
  const { ask } = gateway()
  const { error } = await ask({ input: [{ type: 'telepathy', content: 'secret words' }] })
  expect(error).toMatchObject({ code: 'invalid_request', param: 'input[0].type' })
  expect(JSON.stringify(error)).not.toContain('secret words')
})

test('omits the use of a provider’s own tools', async () => {
  const { ask, prompt } = gateway('Yes.')
  const input = [
    { role: 'developer', content: 'One.' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'A?' }] },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    { role: 'developer', content: 'Two.' },
  ]
  await ask({ input })
  expect(prompt()).toEqual(['One.', expect.stringMatching(/A\?[^]*Two\./)])
})
