// Calls that may be examples: the middleware runs them only if the reply contains nothing else.
import {
  generateText,
  jsonSchema,
  type ModelMessage,
  stepCountIs,
  streamText,
  tool,
  wrapLanguageModel,
} from 'ai'
import { expect, test } from 'vitest'
import { printCall } from '@toolglot/core'
import { modelThatWrites, type WrittenReply } from '../test/language-model.ts'
import { toolglot, type ToolglotOptions, trustFacts, type TrustFacts } from './index.ts'

const fence = '```'
const json = '{"name": "rm", "arguments": {"path": "/"}}'
const fenced = `${fence}json\n${json}\n${fence}`
const marked = printCall('hermes', { name: 'rm', args: { path: '/' } })
const example = `I will not delete it. This would be the call, for example:\n${fenced}`

interface Told {
  readonly text: string
  /** The paths that were removed. */
  readonly removed: readonly string[]
}

const inputSchema = jsonSchema<{ path: string }>({
  type: 'object',
  properties: { path: { type: 'string' }, depth: { type: 'integer' } },
  required: ['path'],
})

/**
 * Sends a reply through `generateText`, and through `streamText` in single characters. The results
 * must be equal.
 */
async function tell(reply: string | WrittenReply, options: ToolglotOptions = {}): Promise<Told> {
  const asked = (
    removed: string[],
  ): Pick<Parameters<typeof generateText>[0], 'model' | 'tools'> & { prompt: string } => ({
    model: wrapLanguageModel({
      model: modelThatWrites([typeof reply === 'string' ? { chunks: reply.split('') } : reply]),
      middleware: toolglot(options),
    }),
    tools: {
      rm: tool({ inputSchema, execute: ({ path }) => `${removed.push(path)} removed` }),
    },
    prompt: 'Delete everything?',
  })
  const whole: string[] = []
  const generated = await generateText(asked(whole))
  const streamed: string[] = []
  const stream = streamText(asked(streamed))
  expect({ text: await stream.text, removed: streamed }).toEqual({
    text: generated.text,
    removed: whole,
  })
  return { text: generated.text, removed: whole }
}

test('leaves an example unchanged as text, including its fence', async () => {
  for (const streamArguments of [false, true])
    expect(await tell(example, { streamArguments })).toEqual({ text: example, removed: [] })
})

test('callsInProse returns the call', async () => {
  expect(await tell(example, { callsInProse: true })).toEqual({
    text: 'I will not delete it. This would be the call, for example:',
    removed: ['/'],
  })
})

test.each([
  ['in a fence', fenced],
  ['in a fence, twice', `${fenced}\n\n${fenced}`],
  ['without marks', json],
  ['in another protocol', printCall('mistral', { name: 'rm', args: { path: '/' } })],
  ['in reasoning', `<think>\nNow: ${marked}`],
  ['after reasoning', `<think>\nHm.\n</think>\n${fenced}`],
])('a reply of only calls and reasoning runs: %s', async (_, reply) => {
  const { text, removed } = await tell(reply)
  expect(text).toBe('')
  expect(new Set(removed)).toEqual(new Set(['/']))
})

test.each([
  ['marks in a fence, and text after it', `${fence}\n${marked}\n${fence}\nThat would be the call.`],
  [
    'several calls in one block',
    `${fence}\n<tool_call>\n[${json}, ${json}]\n</tool_call>\n${fence}\nSo.`,
  ],
  ['another protocol', `Such as ${printCall('mistral', { name: 'rm', args: { path: '/' } })}`],
  [
    'a result that the model made up',
    `<tool_response>\nDone.\n</tool_response>\n${marked}\nNothing is left.`,
  ],
])('does not run a call surrounded by text: %s', async (_, reply) => {
  expect(await tell(reply)).toEqual({ text: reply, removed: [] })
})

test('treats a call in reasoning beside text as text', async () => {
  const { text, removed } = await tell(`No.\n<think>\nOr: ${marked}`)
  expect(removed).toEqual([])
  expect(text).toContain(marked)
})

test('runs a regular call in any context, and treats examples beside it as text', async () => {
  const { text, removed } = await tell(`I look. ${marked}`)
  expect([text, removed]).toEqual(['I look.', ['/']])
  const mixed = `${fence}\n${marked}\n${fence}\nNow really:\n${marked}`
  const both = await tell(mixed)
  expect(both.removed).toEqual(['/'])
  expect(both.text).toBe(`${fence}\n${marked}\n${fence}\nNow really:`)
})

test('treats uncertain calls as text if the reply was cut off', async () => {
  const reply = `${fence}\n${marked}\n${fence}`
  expect(await tell(reply)).toEqual({ text: '', removed: ['/'] })
  const cut = await tell({ chunks: [reply], finish: 'length' })
  expect(cut).toEqual({ text: reply, removed: [] })
})

test.each([
  ['a trailing comma', '{"name": "rm", "arguments": {"path": "/",}}'],
  ['a key twice', '{"name": "rm", "arguments": {"path": "/a", "path": "/"}}'],
  ['an unknown member', '{"name": "rm", "arguments": {"path": "/"}, "really": true}'],
  ['a number out of range', '{"name": "rm", "arguments": {"path": "/", "depth": 1e999}}'],
])('repairs: false runs no repaired call: %s', async (_, body) => {
  const reply = `<tool_call>\n${body}\n</tool_call>`
  expect((await tell(reply)).removed).toEqual(['/'])
  expect(await tell(reply, { repairs: false })).toEqual({ text: reply, removed: [] })
})

/** A conversation in which `rm` needs approval if there are facts about the call. */
function careful(reply: string, seen: (TrustFacts | undefined)[], removed: string[]) {
  return {
    model: wrapLanguageModel({
      model: modelThatWrites([reply, 'Done.', 'Done.']),
      middleware: toolglot(),
    }),
    tools: {
      rm: tool({
        inputSchema,
        needsApproval(_input, call) {
          const facts = trustFacts(call)
          seen.push(facts)
          return facts !== undefined
        },
        execute: ({ path }) => `${removed.push(path)} removed`,
      }),
    },
    stopWhen: stepCountIs(2),
  }
}

test('needsApproval receives the trust facts', async () => {
  for (const [reply, facts] of [
    [fenced, { fenced: true, markerless: true }],
    [marked, undefined],
    [marked.replace('"}', '",}'), { repairs: ['trailing-comma'] }],
  ] as const) {
    for (const how of ['generateText', 'streamText'] as const) {
      const seen: (TrustFacts | undefined)[] = []
      const removed: string[] = []
      const asked = { ...careful(reply, seen, removed), prompt: 'Delete everything.' }
      const content =
        how === 'generateText'
          ? (await generateText(asked)).content
          : await streamText(asked).content
      expect(seen).toEqual([facts])
      expect(removed).toEqual(facts ? [] : ['/'])
      expect(content.some(({ type }) => type === 'tool-approval-request')).toBe(Boolean(facts))
    }
  }
})

test('an approval works even in a process that did not see the call', async () => {
  const removed: string[] = []
  const seen: (TrustFacts | undefined)[] = []
  const prompt: ModelMessage = { role: 'user', content: 'Delete everything.' }
  const first = await generateText({ ...careful(fenced, seen, removed), messages: [prompt] })
  const request = first.content.find(({ type }) => type === 'tool-approval-request')
  if (request?.type !== 'tool-approval-request') throw new Error('no approval was requested')
  const { approvalId, toolCall } = request
  // Another process does not know the call's id.
  const said = JSON.stringify([prompt, ...first.response.messages])
  const elsewhere = said.replaceAll(toolCall.toolCallId, 'elsewhere')
  for (const conversation of [said, elsewhere]) {
    const messages: ModelMessage[] = [
      ...(JSON.parse(conversation) as ModelMessage[]),
      {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId, approved: true }],
      },
    ]
    await generateText({ ...careful('Done.', seen, removed), messages })
    expect(seen.at(-1)).toEqual({ fenced: true, markerless: true })
  }
  expect(removed).toEqual(['/', '/'])
})
