import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider'
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test'

/** A reply of a fake model: its text in chunks, and its end. */
export interface WrittenReply {
  readonly chunks: readonly string[]
  readonly finish?: LanguageModelV3FinishReason['unified']
  /** Parts before the text. */
  readonly before?: readonly LanguageModelV3StreamPart[]
  /** Parts after the text. */
  readonly after?: readonly LanguageModelV3StreamPart[]
}

/** The usage of every reply. */
export const usage: LanguageModelV3Usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

/** A model with these replies in order. */
export function modelThatWrites(
  replies: readonly (string | WrittenReply)[],
  modelId = 'hermes-3',
): MockLanguageModelV3 {
  const all = replies.map((reply) => (typeof reply === 'string' ? { chunks: [reply] } : reply))
  return new MockLanguageModelV3({
    modelId,
    doGenerate: all.map(({ chunks, finish = 'stop' }) => ({
      content: [{ type: 'text', text: chunks.join('') }] as LanguageModelV3Content[],
      finishReason: { unified: finish, raw: finish },
      usage,
      warnings: [],
    })),
    doStream: all.map((reply) => ({ stream: convertArrayToReadableStream(partsOf(reply)) })),
  })
}

/** The parts in which a reply streams. */
export function partsOf({
  chunks,
  finish = 'stop',
  before = [],
  after = [],
}: WrittenReply): LanguageModelV3StreamPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    ...before,
    { type: 'text-start', id: 'a' },
    ...chunks.map((delta) => ({ type: 'text-delta' as const, id: 'a', delta })),
    { type: 'text-end', id: 'a' },
    ...after,
    { type: 'finish', finishReason: { unified: finish, raw: finish }, usage },
  ]
}

/** The prompt of a request as text, with one line per message. */
export function promptText(options: LanguageModelV3CallOptions | undefined): string[] {
  return (options?.prompt ?? []).map(({ role, content }) => {
    if (typeof content === 'string') return `${role}: ${content}`
    const parts = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
    return `${role}: ${parts.join('|')}`
  })
}

/** The text, reasoning and calls of a reply. */
export interface Said {
  text: string
  reasoning: string
  calls: [name: string, input: unknown][]
}

/** The text, reasoning and calls in the parts of a stream or in the content of a whole reply. */
export function saidIn(
  parts: readonly (LanguageModelV3StreamPart | LanguageModelV3Content)[],
): Said {
  const said: Said = { text: '', reasoning: '', calls: [] }
  for (const part of parts) {
    if (part.type === 'text') said.text += part.text
    if (part.type === 'text-delta') said.text += part.delta
    if (part.type === 'reasoning') said.reasoning += part.text
    if (part.type === 'reasoning-delta') said.reasoning += part.delta
    if (part.type === 'tool-call') said.calls.push([part.toolName, JSON.parse(part.input)])
  }
  return said
}
