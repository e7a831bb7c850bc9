// Start here: using this package in a program with the AI SDK. The model is scripted.
import { printCall } from '@toolglot/core'
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { expect, test } from 'vitest'
import { modelThatWrites, promptText, usage } from '../test/language-model.ts'
import { repairToolCall, toolglot } from './index.ts'
const weather = tool({
  description: 'Get the weather in a city',
  inputSchema: jsonSchema<{ city: string; days?: number }>({
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  }),
  execute: ({ city, days = 1 }) => `Rain in ${city} for ${days} days`,
})
const options = { tools: { weather }, prompt: 'Umbrella in Hanoi?', stopWhen: stepCountIs(3) }
const call = printCall('hermes', { name: 'weather', args: { city: 'Hanoi' } })

test('I wrap a model that can only write text, and generateText runs my tools', async () => {
  const model = modelThatWrites([`<think>\nHm.\n</think>\n\nI look.\n${call}`, 'Take an umbrella.'])
  const { text, steps, finishReason } = await generateText({
    model: wrapLanguageModel({ model, middleware: toolglot() }),
    ...options,
  })
  expect(text).toBe('Take an umbrella.')
  expect(finishReason).toBe('stop')
  expect(steps[0]).toMatchObject({
    text: 'I look.',
    reasoningText: 'Hm.',
    finishReason: 'tool-calls',
  })
  expect(steps[0]!.toolResults).toMatchObject([{ output: 'Rain in Hanoi for 1 days' }])
  const [first, second] = model.doGenerateCalls.map((each) => promptText(each))
  expect(first).toHaveLength(2)
  expect(first![0]).toContain('Get the weather in a city')
  expect(model.doGenerateCalls[0]).not.toHaveProperty('tools')
  // The model sees its own words unchanged.
  expect(second!.slice(0, 3)).toEqual([
    ...first!,
    `assistant: <think>\nHm.\n</think>\n\nI look.\n${call}`,
  ])
  expect(second![3]).toMatch(/^user: <tool_response>\n.*Rain in Hanoi.*\n<\/tool_response>$/s)
  expect(model.doStreamCalls).toEqual([])
})

test('streamText works too, and users never see part of a call', async () => {
  const chunks = `I look.\n${call}`.split('')
  const model = modelThatWrites([{ chunks }, { chunks: ['Take an ', 'umbrella.'] }])
  const { fullStream, text, steps } = streamText({
    model: wrapLanguageModel({ model, middleware: toolglot() }),
    ...options,
  })
  const types: string[] = []
  for await (const { type } of fullStream) if (type !== types.at(-1)) types.push(type)
  expect(await text).toBe('Take an umbrella.')
  expect((await steps)[0]).toMatchObject({ text: 'I look.', finishReason: 'tool-calls' })
  expect(types.slice(0, 11)).toEqual([
    'start',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-end',
    'tool-call',
    'tool-result',
    'finish-step',
  ])
  expect(model.doGenerateCalls).toEqual([])
})

test('A model with native function calling keeps it, and errors in its calls are repaired', async () => {
  const slip = { type: 'tool-call', toolCallId: '1', toolName: 'Weather' } as const
  const model = new MockLanguageModelV3({
    doGenerate: {
      content: [{ ...slip, input: "{city: 'Hanoi', days: '2'}" }],
      finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
      usage,
      warnings: [],
    },
  })
  const stopWhen = stepCountIs(1)
  const { toolResults } = await generateText({
    model,
    ...options,
    stopWhen,
    experimental_repairToolCall: repairToolCall,
  })
  expect(toolResults).toMatchObject([{ toolName: 'weather', output: 'Rain in Hanoi for 2 days' }])
})

test('A call that was cut off never runs', async () => {
  const model = modelThatWrites([{ chunks: [call.slice(0, -20)], finish: 'length' }])
  const wrapped = wrapLanguageModel({ model, middleware: toolglot() })
  const { toolCalls, finishReason } = await generateText({ model: wrapped, ...options })
  expect({ toolCalls, finishReason }).toEqual({ toolCalls: [], finishReason: 'length' })
})
