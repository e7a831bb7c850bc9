import type {
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
} from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'
import { convertReadableStreamToArray } from 'ai/test'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, type Protocol, protocols, restore, restoreArguments } from '@toolglot/core'
import { chunked, sizes } from '../../core/test/chunks.ts'
import { examplesOf } from '../../core/test/protocol-examples.ts'
import { HOURS, runs, share } from '../../../tests/helpers/size.ts'
import { modelThatWrites, type Said, saidIn, type WrittenReply } from '../test/language-model.ts'
import { toolglot, type ToolglotOptions } from './index.ts'

const prompt: LanguageModelV3CallOptions['prompt'] = [
  { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
]

/** The tools called in the examples, and one other. */
const tools = [
  ...new Set(
    Object.values(protocols).flatMap((protocol) =>
      Object.values(examplesOf(protocol)).flatMap(({ calls = [] }) => calls.map(([name]) => name)),
    ),
  ).add('another_tool'),
].map((name) => ({ name, parameters: { type: 'object' } as const }))

const asked: LanguageModelV3CallOptions = {
  prompt,
  tools: tools.map(({ name, parameters }) => ({
    type: 'function',
    name,
    inputSchema: parameters,
  })),
}

async function streamed(
  reply: WrittenReply,
  options: ToolglotOptions,
): Promise<LanguageModelV3StreamPart[]> {
  const model = wrapLanguageModel({
    model: modelThatWrites([reply]),
    middleware: toolglot(options),
  })
  return convertReadableStreamToArray((await model.doStream(asked)).stream)
}

async function generated(reply: WrittenReply, options: ToolglotOptions): Promise<Said> {
  const model = wrapLanguageModel({
    model: modelThatWrites([reply]),
    middleware: toolglot(options),
  })
  return saidIn((await model.doGenerate(asked)).content)
}

/** The parsed reply, in which all segments except complete calls are text. */
function readIn(text: string, protocol: Protocol): Said {
  const guard = { tools, protocols: protocol }
  const read: Said = { text: '', reasoning: '', calls: [] }
  for (const segment of parse(text, guard).segments) {
    const raw = text.slice(...segment.span)
    if (segment.type === 'result' && read.calls.length > 0) break
    if (segment.type === 'reasoning') read.reasoning += raw
    else if (segment.type === 'call' && segment.call.complete)
      read.calls.push([segment.call.name, restoreArguments(segment.call.args, guard)])
    else if (segment.type !== 'mark') read.text += raw
  }
  return { ...read, text: restore(read.text, guard).trim() }
}

function trimmed(said: Said): Said {
  return { ...said, text: said.text.trim() }
}

/** Checks that text and inputs are open one at a time, and that a call follows its input. */
function checkOrder(parts: readonly LanguageModelV3StreamPart[]): void {
  const open = new Set<string>()
  const ended = new Map<string, string>()
  for (const part of parts) {
    const [, kind, step] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(part.type) ?? []
    if (kind !== undefined && 'id' in part) {
      const key = `${kind} ${part.id!}`
      expect(open.has(key)).toBe(step !== 'start')
      if (step === 'start') open.add(key)
      if (step === 'end') open.delete(key)
      if (kind === 'tool-input' && 'delta' in part)
        ended.set(part.id!, (ended.get(part.id!) ?? '') + part.delta)
      if (kind !== 'tool-input') expect(open.size).toBeLessThanOrEqual(1)
    }
    if (part.type === 'tool-call') {
      expect(open.has(`tool-input ${part.toolCallId}`)).toBe(false)
      expect(JSON.parse(ended.get(part.toolCallId)!)).toEqual(JSON.parse(part.input))
    }
  }
  expect([...open]).toEqual([])
}

const callsIn = (parts: readonly LanguageModelV3StreamPart[]): LanguageModelV3ToolCall[] =>
  parts.filter((part) => part.type === 'tool-call')

describe.each(share(Object.values(protocols), 2))('$id', (protocol) => {
  const options = { protocol }
  const wires = Object.values(examplesOf(protocol)).map(({ wire }) => wire)
  const wire = fc.oneof(
    fc.constantFrom(...wires),
    fc
      .tuple(fc.constantFrom(...wires), fc.constantFrom(...wires))
      .map(([one, other]) => `Text. ${one}\n${other}`),
    // A call in a fence may be an example.
    fc
      .tuple(
        fc.constantFrom(...wires),
        fc.constantFrom('', 'Text.\n'),
        fc.constantFrom('', '\nText.'),
      )
      .map(([one, before, after]) => `${before}\`\`\`\n${one}\n\`\`\`${after}`),
  )

  test('every example is read as the parser reads it, whole and streamed', async () => {
    for (const text of share(wires, 4)) {
      const read = readIn(text, protocol)
      expect(trimmed(await generated({ chunks: [text] }, options))).toEqual(read)
      const parts = await streamed({ chunks: text.split('') }, options)
      expect(trimmed(saidIn(parts))).toEqual(read)
      checkOrder(parts)
    }
  })

  test('in any chunks, a stream has the same content as the whole reply', { timeout: HOURS }, () =>
    fc.assert(
      fc.asyncProperty(wire, sizes, fc.boolean(), async (text, lengths, streamArguments) => {
        const parts = await streamed(
          { chunks: chunked(text, lengths) },
          { ...options, streamArguments },
        )
        expect(saidIn(parts)).toEqual(await generated({ chunks: [text] }, options))
        checkOrder(parts)
      }),
      runs(8),
    ),
  )

  test('a reply that was cut off has no call that the whole reply lacks', { timeout: HOURS }, () =>
    fc.assert(
      fc.asyncProperty(wire, fc.nat(), async (text, seed) => {
        const cut = text.slice(0, seed % (text.length + 1))
        const finish = 'length' as const
        const parts = await streamed({ chunks: chunked(cut, [7, 3]), finish }, options)
        checkOrder(parts)
        const { calls } = saidIn(parts)
        expect(readIn(text, protocol).calls.slice(0, calls.length)).toEqual(calls)
        expect(callsIn(parts).map(({ toolCallId }) => toolCallId)).toEqual(
          parts.flatMap((part) => (part.type === 'tool-input-start' ? [part.id] : [])),
        )
      }),
      runs(8),
    ),
  )

  test('without tools, only reasoning is separated', async () => {
    for (const text of share(wires, 4)) {
      const model = wrapLanguageModel({
        model: modelThatWrites([text]),
        middleware: toolglot(options),
      })
      const said = saidIn((await model.doGenerate({ prompt })).content)
      expect(said.calls).toEqual([])
      const { reasoning, calls } = parse(text, { protocols: protocol })
      if (calls.every(({ inReasoning }) => !inReasoning)) expect(said.reasoning).toBe(reasoning)
    }
  })
})
