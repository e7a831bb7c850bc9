import { context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { expect, test } from 'vitest'
import { call, optionsFor, recordSpans, SECRET, tools } from '../../../test/recorded-spans.ts'
import { type ScriptedReply, scriptedModel } from '../../model/scripted-model.ts'
import { collect } from '../run-result.ts'
import { memoryJournal } from '../../journal/memory-journal.ts'
import { cycle } from '../cycle.ts'
import { drive } from '../drive.ts'
import { run } from '../run.ts'
import { turn } from '../turn.ts'
import { providerName } from './telemetry.ts'

const { spans, named, parentOf, tree } = recordSpans()

test('a run, each turn and each tool have one span', async () => {
  const options = optionsFor([call('echo', { text: 'hi' }), 'Done.'], {
    id: 'run-1',
    temperature: 0.5,
    maxOutputTokens: 99,
  })
  await collect(run(options))
  expect(tree()).toEqual([
    '- > invoke_agent',
    'execute_tool echo > inside',
    'invoke_agent > chat script hermes',
    'invoke_agent > chat script hermes',
    'invoke_agent > execute_tool echo',
  ])
  const [invoked] = named('invoke_agent')
  expect(invoked).toMatchObject({ kind: SpanKind.INTERNAL, status: { code: 0 } })
  expect(invoked!.attributes).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'script',
    'gen_ai.request.model': 'script hermes',
    'gen_ai.conversation.id': 'run-1',
    'toolglot.run.reason': 'answer',
    'gen_ai.usage.input_tokens': expect.any(Number) as number,
    'gen_ai.usage.output_tokens': expect.any(Number) as number,
  })
  const [asked] = named('chat script hermes')
  expect(asked!.kind).toBe(SpanKind.CLIENT)
  expect(asked!.attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'script',
    'gen_ai.request.model': 'script hermes',
    'gen_ai.request.stream': true,
    'gen_ai.request.temperature': 0.5,
    'gen_ai.request.max_tokens': 99,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.response.time_to_first_chunk': expect.any(Number) as number,
    'gen_ai.usage.input_tokens': expect.any(Number) as number,
    'gen_ai.usage.output_tokens': expect.any(Number) as number,
    'toolglot.protocol': 'hermes',
    'toolglot.usage.estimated': true,
  })
  expect(named('execute_tool echo')[0]!.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'echo',
    'gen_ai.tool.call.id': 'turn-0-0',
    'gen_ai.tool.type': 'function',
    'toolglot.tool.status': 'success',
  })
})

test('parallel tools are siblings, each with its own child spans', async () => {
  const three = ['a', 'b', 'c'].map((text) => call('echo', { text })).join('\n')
  await collect(run(optionsFor([three, 'Done.'])))
  expect(named('execute_tool echo').map(parentOf)).toEqual(Array(3).fill('invoke_agent'))
  const inside = named('inside').map(({ parentSpanContext }) => parentSpanContext?.spanId)
  expect(new Set(inside).size).toBe(3)
  expect(named('inside').map(parentOf)).toEqual(Array(3).fill('execute_tool echo'))
})

test("a run's span is a child of the current span", async () => {
  const outer = trace.getTracer('test').startSpan('outer')
  const events = context.with(trace.setSpan(context.active(), outer), () =>
    run(optionsFor(['Done.'])),
  )
  await context.with(ROOT_CONTEXT, () => collect(events))
  outer.end()
  expect(tree()).toEqual(['- > outer', 'invoke_agent > chat script hermes', 'outer > invoke_agent'])
})

test('spans contain no text written by people, models or tools', async () => {
  const script = [
    call('echo', { text: SECRET }),
    call(SECRET.replaceAll(' ', '_')),
    call('failing'),
    SECRET,
  ]
  await collect(run(optionsFor(script, { system: SECRET })))
  expect(spans().length).toBeGreaterThan(7)
  const told = JSON.stringify(
    spans().map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
  )
  expect(told).not.toContain('launch')
  expect(named('execute_tool _OTHER')[0]!.attributes).toMatchObject({ 'error.type': 'not_found' })
})

test('spans contain text without secrets if content is enabled', async () => {
  const key = 'sk-abcdefghijklmnopqrstuvwx'
  const options = optionsFor([call('echo', { text: `use ${key}` }), 'Done.'], {
    telemetry: { content: true, agent: 'Tester' },
  })
  await collect(run(options))
  expect(named('invoke_agent Tester')[0]!.attributes['gen_ai.agent.name']).toBe('Tester')
  const [, asked] = named('chat script hermes')
  const messages = JSON.parse(String(asked!.attributes['gen_ai.input.messages'])) as unknown[]
  expect(messages).toContainEqual({
    role: 'user',
    parts: [{ type: 'text', content: SECRET }],
  })
  expect(asked!.attributes['gen_ai.output.messages']).toBe(
    '[{"role":"assistant","parts":[{"type":"text","content":"Done."}],"finish_reason":"stop"}]',
  )
  const { attributes } = named('execute_tool echo')[0]!
  expect(attributes['gen_ai.tool.call.arguments']).toContain('"text":"use ')
  expect(attributes['gen_ai.tool.call.result']).toContain('echo: use ')
  expect(JSON.stringify(spans().map((span) => span.attributes))).not.toContain(key)
})

test('turn() and cycle() have spans of their own', async () => {
  const { model, tools: all } = optionsFor([call('echo', { text: 'a' })])
  const reply = await collect(turn({ model, tools: all!, prompt: 'Go' }))
  await collect(cycle({ reply, tools: all! }))
  expect(tree()).toEqual([
    '- > chat script hermes',
    '- > execute_tool echo',
    'execute_tool echo > inside',
  ])
})

test('function calling and the finish reason are recorded', async () => {
  const script: ScriptedReply[] = [
    [
      { type: 'call', index: 0, id: 'x', name: 'echo', delta: '{"text":"a"}' },
      { type: 'usage', usage: { input: 10, output: 5, cached: 4, reasoning: 2 } },
      { type: 'finish', finish: 'stop' },
    ],
    [
      { type: 'text', delta: 'Do' },
      { type: 'finish', finish: 'length' },
    ],
  ]
  const model = { ...scriptedModel(script, { native: true }), provider: 'Mistral' }
  await collect(run({ model, tools, prompt: 'Go' }))
  const [first, second] = named('chat script')
  expect(first!.attributes).toMatchObject({
    'gen_ai.provider.name': 'mistral_ai',
    'toolglot.protocol': 'native',
    'gen_ai.response.finish_reasons': ['tool_call'],
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.usage.cache_read.input_tokens': 4,
    'gen_ai.usage.reasoning.output_tokens': 2,
  })
  expect(second!.attributes['gen_ai.response.finish_reasons']).toEqual(['length'])
})

test('a process that continues a run continues its trace, with a link to the current span', async () => {
  const journal = memoryJournal()
  const options = { ...optionsFor([call('echo', { text: 'hi' }), 'Done.']), id: 'a', journal }
  await drive({ ...options, release: AbortSignal.abort() })
  const [began] = named('invoke_agent')
  const { traceId, spanId } = began!.spanContext()
  expect((await journal.read('a'))[0]!.value).toMatchObject({ trace: `00-${traceId}-${spanId}-01` })
  const request = trace.getTracer('test').startSpan('request')
  await context.with(trace.setSpan(ROOT_CONTEXT, request), () => drive(options))
  request.end()
  const [, continued] = named('invoke_agent')
  expect(continued!.spanContext().traceId).toBe(traceId)
  expect(continued!.parentSpanContext?.spanId).toBe(spanId)
  expect(continued!.links).toMatchObject([{ context: { spanId: request.spanContext().spanId } }])
  // A copy is a separate run.
  await collect(run({ ...optionsFor(['Done.']), id: 'b', journal, fork: { run: 'a', turn: 0 } }))
  expect(named('invoke_agent')[2]!.spanContext().traceId).not.toBe(traceId)
})

test('an invented trace is not continued', async () => {
  for (const made of ['00-0-0-01', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, 5]) {
    const journal = memoryJournal()
    const options = { ...optionsFor(['Done.']), id: 'a', journal }
    await drive({ ...options, release: AbortSignal.abort() })
    const [{ value } = { value: {} }] = await journal.read('a')
    const other = memoryJournal()
    const record = { key: 'run', kind: 'value' as const, time: 5 }
    await other.add({
      run: 'a',
      records: [{ ...record, value: { ...(value as object), trace: made } }],
      imported: false,
    })
    await drive({ ...options, journal: other })
    expect(named('invoke_agent').at(-1)!.parentSpanContext).toBeUndefined()
  }
})

test.each([
  [{ provider: 'OpenAI', reference: 'openai/gpt' }, 'openai'],
  [{ provider: 'Gemini', reference: 'gemini/a' }, 'gcp.gemini'],
  [{ provider: 'xAI' }, 'x_ai'],
  [{ provider: 'LM Studio', reference: 'lmstudio/a/b' }, 'lmstudio'],
  [{ reference: 'http://127.0.0.1:8080/v1#a' }, '_OTHER'],
  [{ reference: './a.gguf' }, '_OTHER'],
  [{ provider: ' ' }, '_OTHER'],
  [{}, '_OTHER'],
])('%j has the provider %s', (model, name) => {
  expect(providerName(model)).toBe(name)
})
