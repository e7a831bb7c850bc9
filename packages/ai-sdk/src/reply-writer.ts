import type { LanguageModelV3FinishReason } from '@ai-sdk/provider'
import type { MessageCall } from '@toolglot/agent'
import { cautionsOf, newCallId, VisibleText } from '@toolglot/agent/adapter/internal'
import type { Call } from '@toolglot/core'
import type { ReplyEvent, ReplyPart } from './reply-parts.ts'
import type { Reading } from './request.ts'
import { rememberTrustFacts, type TrustFacts } from './trust-facts.ts'

type FinishPart = Extract<ReplyPart, { type: 'finish' }>

/** Converts events of a reply to parts of the AI SDK. */
export class ReplyWriter {
  /** The text of the reply so far in the model's own words. */
  written = ''
  readonly #reading: Reading
  readonly #visible: VisibleText
  /** The open text or reasoning. */
  #block: { readonly type: 'text' | 'reasoning'; readonly id: string } | undefined
  #blocks = 0
  /** True once the model's text has ended. Text that was held back may still follow. */
  #isTextOver = false
  /** The ids and arguments of calls that have begun. */
  readonly #begun = new Map<number, { readonly id: string; readonly json: string[] }>()
  /** The calls as reported to the SDK, and as known to the model. */
  readonly #calls: MessageCall[] = []
  readonly #ownCalls: MessageCall[] = []
  #hasNativeCalls = false
  /** True after the model made up a result. Later output is based on it. */
  #isForged = false
  /** True if part of the reply was not parsed as a call, so the model should not see it again. */
  #isMalformed = false

  constructor(reading: Reading) {
    this.#reading = reading
    this.#visible = new VisibleText(reading.guard)
  }

  *write(event: ReplyEvent): Generator<ReplyPart> {
    if (event.type === 'other') yield* this.#other(event.part)
    else if (!this.#isForged) yield* this.#read(event)
  }

  /** Ends any open part. */
  *end(): Generator<ReplyPart> {
    yield* this.#show('text', this.#visible.end(this.#hasCalls))
    yield* this.#close()
    for (const { id } of this.#begun.values()) yield { type: 'tool-input-end', id }
    this.#begun.clear()
  }

  get #hasCalls(): boolean {
    return this.#calls.length > 0 || this.#hasNativeCalls
  }

  *#read(event: Exclude<ReplyEvent, { type: 'other' }>): Generator<ReplyPart> {
    switch (event.type) {
      case 'text':
        yield* this.#text(event.delta)
        break
      case 'reasoning':
        yield* this.#pause()
        yield* this.#show('reasoning', event.delta)
        break
      case 'malformed':
      case 'call-as-text':
        yield* this.#takeBack(event.index, event.raw)
        break
      case 'result':
        this.#isForged = this.#calls.length + this.#begun.size > 0
        if (!this.#isForged) yield* this.#text(event.raw)
        break
      case 'call-start':
      case 'call-delta':
        yield* this.#begin(event)
        break
      case 'call-end':
        if (event.call.complete) yield* this.#call(event.index, event.call)
        else {
          const { raw, span } = event.call
          // If a block has several calls, the first has the text.
          yield* this.#takeBack(event.index, span[0] === span[1] ? '' : raw)
        }
        break
      case 'end':
    }
  }

  *#begin(event: Extract<ReplyEvent, { type: 'call-start' | 'call-delta' }>): Generator<ReplyPart> {
    if (event.type === 'call-start') {
      yield* this.#pause()
      yield* this.#close()
      const id = newCallId()
      this.#begun.set(event.index, { id, json: [] })
      yield { type: 'tool-input-start', id, toolName: event.name }
      return
    }
    const { id, json } = this.#begun.get(event.index)!
    json.push(event.delta)
    yield { type: 'tool-input-delta', id, delta: event.delta }
  }

  *#call(index: number, call: Call): Generator<ReplyPart> {
    const { id, json } = this.#begun.get(index)!
    this.#begun.delete(index)
    const { name, args } = call
    this.#calls.push({ id, name, args })
    this.#ownCalls.push(
      call.id === '' ? { id, name, args } : { id: call.id, ownId: true, name, args },
    )
    // The streamed input may have been repaired since then.
    const input = this.#reading.streamArguments ? JSON.stringify(args) : json.join('')
    const facts = factsOf(call)
    if (facts) rememberTrustFacts(id, facts)
    yield { type: 'tool-input-end', id }
    yield {
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input,
      ...(facts && { providerMetadata: { toolglot: { ...facts } } }),
    }
  }

  /** A block that cannot be read as a call becomes text. */
  *#takeBack(index: number | undefined, raw: string): Generator<ReplyPart> {
    this.#isMalformed = true
    const begun = index === undefined ? undefined : this.#begun.get(index)
    if (begun) {
      this.#begun.delete(index!)
      yield { type: 'tool-input-end', id: begun.id }
    }
    yield* this.#text(raw)
  }

  *#text(delta: string): Generator<ReplyPart> {
    yield* this.#show('text', this.#visible.add(delta))
  }

  /** Reasoning or a call follows. */
  *#pause(): Generator<ReplyPart> {
    yield* this.#show('text', this.#visible.pause())
  }

  *#show(type: 'text' | 'reasoning', delta: string): Generator<ReplyPart> {
    if (delta === '') return
    if (this.#block?.type !== type) {
      yield* this.#close()
      this.#block = { type, id: `toolglot-${this.#blocks++}` }
      yield { type: `${type}-start`, id: this.#block.id }
    }
    yield { type: `${type}-delta`, id: this.#block.id, delta }
  }

  *#close(): Generator<ReplyPart> {
    const block = this.#block
    this.#block = undefined
    if (block) yield { type: `${block.type}-end`, id: block.id }
  }

  *#other(part: ReplyPart): Generator<ReplyPart> {
    if (part.type === 'finish') {
      yield* this.end()
      this.#keep()
      yield this.#finish(part)
      return
    }
    if (part.type === 'text-start' || part.type === 'text-end') {
      this.#isTextOver = part.type === 'text-end'
      return
    }
    if (SEPARATE.has(part.type)) {
      yield* this.#pause()
      yield* this.#close()
    } else if (BESIDES.has(part.type) && this.#isTextOver) {
      yield* this.#show('text', this.#visible.pause())
      yield* this.#close()
    }
    if (part.type === 'tool-call' && !part.providerExecuted) this.#hasNativeCalls = true
    yield part
  }

  #finish(part: FinishPart): FinishPart {
    const { finishReason } = part
    const { unified } = finishReason
    if (this.#hasCalls && CALLING.has(unified))
      return { ...part, finishReason: { ...finishReason, unified: 'tool-calls' } }
    if (unified !== 'tool-calls') return part
    return { ...part, finishReason: { ...finishReason, unified: 'stop' } }
  }

  #keep(): void {
    const { kept, protocol, prefill } = this.#reading
    if (this.#isForged || this.#isMalformed || this.#hasNativeCalls || protocol === undefined)
      return
    kept?.keep(
      { text: this.#visible.shown, calls: this.#calls },
      { role: 'assistant', content: prefill + this.written, calls: this.#ownCalls, protocol },
    )
  }
}

/** Parts that end the preceding text. */
const SEPARATE: ReadonlySet<ReplyPart['type']> = new Set([
  'reasoning',
  'reasoning-start',
  'tool-input-start',
  'tool-call',
])

/** Parts that may occur inside text, such as its sources. */
const BESIDES: ReadonlySet<ReplyPart['type']> = new Set([
  'source',
  'file',
  'tool-result',
  'tool-approval-request',
])

/**
 * Possible ends of a reply with calls. A reply whose end is unknown to the provider may still have
 * complete calls.
 */
const CALLING: ReadonlySet<LanguageModelV3FinishReason['unified']> = new Set([
  'stop',
  'tool-calls',
  'other',
])

/** The oddities of a call, for the decision on running it. */
function factsOf(call: Call): TrustFacts | undefined {
  const facts: TrustFacts = Object.fromEntries([
    ...(call.repairs.length > 0 ? [['repairs', [...call.repairs]]] : []),
    ...cautionsOf(call).map((caution) => [caution, true]),
  ])
  return Object.keys(facts).length > 0 ? facts : undefined
}
