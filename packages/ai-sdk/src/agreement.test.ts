// The middleware, the gateway and the run read the same calls in the same text, and the first two
// return the same calls.
import type { LanguageModelV3CallOptions, LanguageModelV3ToolCall } from '@ai-sdk/provider'
import { type ModelChunk, run, tool } from '@toolglot/agent'
import { scriptedModel } from '@toolglot/agent/testing'
import { type Call, parse, type Protocol, type Segment } from '@toolglot/core'
import { wrapLanguageModel } from 'ai'
import { convertReadableStreamToArray } from 'ai/test'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunked, sizes } from '../../core/test/chunks.ts'
import { tools as known } from '../../core/test/known-tools.ts'
import { spoiled } from '../../core/test/mutations.ts'
import { HOURS, runs } from '../../../tests/helpers/size.ts'
import { own } from '../../core/test/sources.ts'
import { gatewayWith } from '../../server/test/gateway-client.ts'
import { modelThatWrites, saidIn } from '../test/language-model.ts'
import { toolglot, type ToolglotOptions } from './index.ts'

const tools = known.map(({ name, parameters = { type: 'object' } }) => ({
  name,
  description: name,
  parameters: parameters as { readonly type: 'object' },
}))

/** A call with all data that the parser recorded about it. */
interface Read {
  readonly name: string
  readonly args: unknown
  readonly facts: Readonly<Record<string, unknown>>
}

const WEAK = ['inReasoning', 'fenced', 'markerless', 'afterResult', 'otherProtocol'] as const
const FACTS = [...WEAK, 'afterMalformed'] as const

/** Calls in the form that JSON transports. */
function readIn(calls: readonly Call[]): unknown {
  const read = calls.map((call): Read => {
    const { name, args, repairs } = call
    const facts = Object.fromEntries(FACTS.flatMap((each) => (call[each] ? [[each, true]] : [])))
    return { name, args, facts: { ...facts, ...(repairs.length > 0 && { repairs }) } }
  })
  return JSON.parse(JSON.stringify(read))
}

const asked: LanguageModelV3CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: tools.map(({ parameters, ...others }) => ({
    ...others,
    type: 'function',
    inputSchema: parameters,
  })),
}

/** A reply and its end. */
interface Written {
  readonly text: string
  readonly chunks: readonly string[]
  readonly finish: 'stop' | 'length'
  readonly protocol: Protocol
}

/** The calls and the text returned by the middleware. */
async function fromMiddleware(
  { chunks, finish, protocol }: Written,
  options: ToolglotOptions,
): Promise<{ calls: readonly Read[]; text: string }> {
  const model = wrapLanguageModel({
    model: modelThatWrites([{ chunks, finish }]),
    middleware: toolglot({ protocol, ...options }),
  })
  const { stream } = await model.doStream(asked)
  const content = await convertReadableStreamToArray(stream)
  const calls = content
    .filter((part): part is LanguageModelV3ToolCall => part.type === 'tool-call')
    .map(({ toolName: name, input, providerMetadata }) => ({
      name,
      args: JSON.parse(input) as unknown,
      facts: providerMetadata?.['toolglot'] ?? {},
    }))
  return { calls, text: saidIn(content).text }
}

/** The name implies a small model, so that the gateway describes tools briefly. */
function scripted({ chunks, finish }: Written): ReturnType<typeof scriptedModel> {
  const reply: ModelChunk[] = [
    ...chunks.map((delta) => ({ type: 'text' as const, delta })),
    { type: 'finish', finish },
  ]
  return scriptedModel([reply, reply], { name: 'any-8b' })
}

/**
 * The calls sent by the gateway, for a model that repeats its reply when it is asked a second time.
 */
async function fromGateway(
  written: Written,
  target: Pick<GatewayTarget, 'callsInProse'>,
): Promise<readonly Read[]> {
  const { protocol } = written
  const response = await gatewayWith({ model: scripted(written), protocol, ...target }).chat({
    model: 'any',
    messages: [{ role: 'user', content: 'Hello' }],
    tools: tools.map((each) => ({ type: 'function', function: each })),
  })
  const { choices } = (await response.json()) as {
    choices: [{ message: { tool_calls?: SentCall[] } }]
  }
  return (choices[0].message.tool_calls ?? []).map(({ function: made, toolglot: facts = {} }) => ({
    name: made.name,
    args: JSON.parse(made.arguments) as unknown,
    facts: Object.fromEntries(
      Object.entries(facts).map(([key, value]) => [
        key.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
    ),
  }))
}

type GatewayTarget = Parameters<typeof gatewayWith>[0]

interface SentCall {
  readonly function: { readonly name: string; readonly arguments: string }
  readonly toolglot?: Readonly<Record<string, unknown>>
}

/** The calls of the first turn of a run. */
async function fromRun(written: Written): Promise<readonly Call[]> {
  const calls: Call[] = []
  const running = run({
    model: scripted(written),
    protocol: written.protocol,
    prompt: 'Hello',
    tools: tools.map((each) => tool({ ...each, execute: () => 'done' })),
  })
  for await (const event of running) {
    if (event.type === 'call-end') calls.push(event.call)
    if (event.type === 'turn-end') break
  }
  return calls
}

/** The calls that may run: complete ones that do not follow a forged result. */
function usable(calls: readonly Call[], segments: readonly Segment[]): readonly Call[] {
  const first = segments.findIndex((each) => each.type === 'call' && each.call.complete)
  const forged = segments.findIndex(({ type }, at) => type === 'result' && first >= 0 && at > first)
  const until = forged < 0 ? Infinity : segments[forged]!.span[0]
  return calls.filter(({ complete, span }) => complete && span[0] < until)
}

const around = fc.constantFrom(
  ['For example:\n```\n', '\n```'],
  ['```\n', '\n```'],
  ['```\n', '\n```\nSo.'],
  ['So: ', ''],
  ['', '\nSo.'],
  ['<think>\n', ''],
)
const written: fc.Arbitrary<Written> = fc
  .tuple(
    fc.oneof(
      spoiled(own),
      fc.tuple(fc.constantFrom(...own), around).map(([source, [before, after]]) => ({
        source,
        text: `${before}${source.text}${after}`,
      })),
    ),
    fc.constantFrom('stop', 'stop', 'length'),
    sizes,
  )
  .map(([made, finish, lengths]) => {
    const { text, source } = made
    const { protocol } = source
    // Shown if a law fails.
    const shown = (): string => `${protocol.id}, ${finish}: ${JSON.stringify(text)}`
    const chunks = chunked(text, lengths)
    return { text, chunks, finish, protocol, [fc.toStringMethod]: shown }
  })

test('the middleware, the gateway and the run agree on every call', { timeout: HOURS }, () =>
  fc.assert(
    fc.asyncProperty(written, async (reply) => {
      const { text, finish, protocol } = reply
      const { segments } = parse(text, { protocols: protocol, tools, finish })
      const calls = usable(await fromRun(reply), segments)
      const all = await fromMiddleware(reply, { callsInProse: true })
      expect(all.calls).toEqual(readIn(calls))
      expect(await fromGateway(reply, { callsInProse: true })).toEqual(all.calls)

      const isOnlyCalls =
        finish === 'stop' &&
        segments.every(
          (each) =>
            each.type === 'mark' ||
            each.type === 'reasoning' ||
            (each.type === 'call' && each.call.complete) ||
            (each.type === 'text' && text.slice(...each.span).trim() === ''),
        )
      const certain = calls.filter((call) => isOnlyCalls || !WEAK.some((fact) => call[fact]))
      const handedOut = await fromMiddleware(reply, {})
      expect(handedOut.calls).toEqual(readIn(certain))
      expect(await fromGateway(reply, {})).toEqual(handedOut.calls)
      // Text, and calls that remain text, must be kept in full.
      const hasOnlyTextAndCalls = segments.every((each, at) => {
        if (each.type === 'call') return each.call.complete && !each.call.inReasoning
        const isBesideCall = [at - 1, at + 1].some((next) => segments[next]?.type === 'call')
        return each.type === 'text' || (each.type === 'mark' && isBesideCall)
      })
      if (certain.length === 0 && hasOnlyTextAndCalls)
        expect(handedOut.text.trim()).toBe(text.trim())
    }),
    runs(300),
  ),
)

test('repairs: false repairs no call', { timeout: HOURS }, () =>
  fc.assert(
    fc.asyncProperty(written, fc.boolean(), async (reply, callsInProse) => {
      const { calls } = await fromMiddleware(reply, { repairs: false, callsInProse })
      expect(calls.filter(({ facts }) => 'repairs' in facts)).toEqual([])
    }),
    runs(300),
  ),
)
