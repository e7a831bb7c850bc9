// The middleware with the AI SDK 7, whose models implement version 4 of the specification. npm run
// test:ai-sdk-7
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateText, isStepCount, streamText, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3, MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { z } from 'zod'
import { repairToolCall, toolglot } from '@toolglot/ai-sdk'
import { printCall } from '@toolglot/core'

const weather = tool({
  description: 'Get the weather in a city',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, sky: 'rain' }),
})
const call = printCall('hermes', { name: 'weather', args: { city: 'Hanoi' } })
const written = `<think>\nHm.\n</think>\n\nI look.\n${call}`
const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}
const stop = { unified: 'stop' as const, raw: 'stop' }

function whole(text: string) {
  const content = [{ type: 'text' as const, text }]
  return { content, finishReason: stop, usage, warnings: [] }
}

function streamOf(text: string, finishReason: { unified: 'stop' | 'length'; raw: string } = stop) {
  return {
    stream: simulateReadableStream({
      initialDelayInMs: null,
      chunkDelayInMs: null,
      chunks: [
        { type: 'stream-start' as const, warnings: [] },
        { type: 'text-start' as const, id: 'a' },
        ...text.split('').map((delta) => ({ type: 'text-delta' as const, id: 'a', delta })),
        { type: 'text-end' as const, id: 'a' },
        { type: 'finish' as const, finishReason, usage },
      ],
    }),
  }
}

const models = {
  'version 4': new MockLanguageModelV4({
    modelId: 'hermes-3',
    doGenerate: [whole(written), whole('Take an umbrella.')],
    doStream: [streamOf(written), streamOf('Take an umbrella.')],
  }),
  'version 3': new MockLanguageModelV3({
    modelId: 'hermes-3',
    doGenerate: [whole(written), whole('Take an umbrella.')],
    doStream: [streamOf(written), streamOf('Take an umbrella.')],
  }),
}

for (const [version, model] of Object.entries(models)) {
  const options = {
    model: wrapLanguageModel({ model, middleware: toolglot() }),
    tools: { weather },
    prompt: 'Umbrella in Hanoi?',
    stopWhen: isStepCount(3),
  }

  void test(`generateText runs the tools that a model of ${version} calls in text`, async () => {
    const { text, steps } = await generateText(options)
    assert.equal(text, 'Take an umbrella.')
    assert.equal(steps[0]!.text, 'I look.')
    assert.equal(steps[0]!.reasoningText, 'Hm.')
    assert.equal(steps[0]!.finishReason, 'tool-calls')
    assert.deepEqual(steps[0]!.toolResults[0]!.output, { city: 'Hanoi', sky: 'rain' })
    const { prompt } = model.doGenerateCalls[1]!
    assert.deepEqual(prompt[2], {
      role: 'assistant',
      content: [{ type: 'text', text: written }],
    })
    assert.match(JSON.stringify(prompt[3]), /<tool_response>.*rain/)
  })

  void test(`streamText does the same with ${version}`, async () => {
    const { text, steps, stream } = streamText(options)
    const types: string[] = []
    for await (const { type } of stream) if (type !== types.at(-1)) types.push(type)
    assert.equal(await text, 'Take an umbrella.')
    assert.deepEqual((await steps)[0]!.toolCalls[0]!.input, { city: 'Hanoi' })
    const at = types.indexOf('tool-input-start')
    assert.deepEqual(types.slice(at, at + 5), [
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'tool-result',
    ])
  })
}

void test('a call that was cut off is text', async () => {
  const model = new MockLanguageModelV4({
    doStream: streamOf(call.slice(0, -15), { unified: 'length', raw: 'length' }),
  })
  const { text, toolCalls, finishReason } = streamText({
    model: wrapLanguageModel({ model, middleware: toolglot() }),
    tools: { weather },
    prompt: 'Umbrella?',
  })
  assert.equal(await text, call.slice(0, -15))
  assert.deepEqual(await toolCalls, [])
  assert.equal(await finishReason, 'length')
})

void test('files of users and tools reach the model', async () => {
  const photo = tool({
    inputSchema: z.object({}),
    execute: () => 'AAAA',
    toModelOutput: ({ output: data }) => ({
      type: 'content',
      value: [{ type: 'file', data: { type: 'data', data }, mediaType: 'image/png' }],
    }),
  })
  const model = new MockLanguageModelV4({
    doGenerate: [whole(printCall('hermes', { name: 'photo', args: {} })), whole('A cat.')],
  })
  const { text } = await generateText({
    model: wrapLanguageModel({ model, middleware: toolglot({ protocol: 'hermes' }) }),
    tools: { photo },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Is it this one?' },
          { type: 'file', data: new Uint8Array([1]), mediaType: 'image/png' },
        ],
      },
    ],
    stopWhen: isStepCount(2),
  })
  assert.equal(text, 'A cat.')
  const files = model.doGenerateCalls[1]!.prompt.flatMap(({ role, content }) =>
    role === 'user' ? content.filter(({ type }) => type === 'file') : [],
  )
  assert.equal(files.length, 2)
  assert.deepEqual(files[1], {
    type: 'file',
    data: { type: 'data', data: 'AAAA' },
    mediaType: 'image/png',
  })
})

void test('repairToolCall repairs the input and the name', async () => {
  const input = "{'city': 'Hanoi',}"
  const model = new MockLanguageModelV4({
    doGenerate: {
      ...whole(''),
      content: [{ type: 'tool-call', toolCallId: '1', toolName: 'Weather', input }],
    },
  })
  const { toolResults } = await generateText({
    model,
    tools: { weather },
    prompt: 'Umbrella?',
    repairToolCall,
  })
  assert.deepEqual(toolResults[0]!.output, { city: 'Hanoi', sky: 'rain' })
})
