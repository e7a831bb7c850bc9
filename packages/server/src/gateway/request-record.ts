import type { CallFormat } from '@toolglot/agent/adapter/internal'
import type { Answered } from './answer.ts'
import type { AnswerEvent } from './answer-event.ts'
import type { GatewayError } from './gateway-error.ts'
import type { Api } from './api.ts'
import type { GatewayClient } from './gateway.ts'
import type { GatewayModel } from './models.ts'
import type { GatewayReport, ReadRequest } from './report.ts'
import type { GatewayRequest } from './request.ts'

/** Collects the events of one request, and reports them when it ends. */
export class RequestRecord {
  readonly #client: Pick<GatewayClient, 'onRead' | 'onReport'>
  readonly #start = performance.now()
  readonly #notes = new Set<string>()
  #facts: ReadRequest
  #firstByte: number | undefined
  #end: Extract<AnswerEvent, { type: 'end' }>['end'] | undefined
  #answered: Answered | undefined
  #attempts: Pick<Answered, 'retries' | 'malformed'> = { retries: 0, malformed: 0 }

  constructor(
    { id: api, path }: Pick<Api, 'id' | 'path'>,
    client: Pick<GatewayClient, 'onRead' | 'onReport'>,
  ) {
    this.#facts = { api, path, stream: false, tools: 0 }
    this.#client = client
  }

  readonly note = (note: string): void => {
    if (this.#notes.size < MAX_NOTES) this.#notes.add(note)
  }

  /** Records the parsed request. */
  read({ model, stream, tools, notes }: GatewayRequest): void {
    this.#facts = { ...this.#facts, requestedModel: model, stream, tools: tools.length }
    notes.forEach(this.note)
  }

  /** Records the model. */
  began({ model: { name } }: GatewayModel, { protocol }: CallFormat): void {
    const { requestedModel: model = '' } = this.#facts
    this.#facts = { ...this.#facts, model, usedModel: name, protocol: protocol?.id ?? 'native' }
    this.#client.onRead?.(this.#facts)
  }

  /** Records a reply of the model, which may not be the last. */
  readonly attempted = (attempts: Pick<Answered, 'retries' | 'malformed'>): void => {
    this.#attempts = attempts
  }

  add(event: AnswerEvent): void {
    this.#firstByte ??= performance.now() - this.#start
    if (event.type === 'end') this.#end = event.end
  }

  answered(answered: Answered): void {
    this.#answered = answered
  }

  /** The response headers known so far. */
  headers(): Record<string, string> {
    const { protocol } = this.#facts
    return {
      ...(protocol !== undefined && { 'x-toolglot-protocol': protocol }),
      ...(this.#notes.size > 0 && { 'x-toolglot-notes': [...this.#notes].join(', ') }),
    }
  }

  /** Records the end of the answer. */
  end(): void {
    const { reason, usage } = this.#end!
    const outcome = ({ answer: 'answer', calls: 'calls', length: 'cut_off' } as const)[reason]
    this.#report({ outcome, usage })
  }

  /** Records a request that only counts tokens. */
  counted(): void {
    this.#report({ outcome: 'answer' })
  }

  fail({ code, message, summary, cause }: GatewayError, isAborted: boolean): void {
    if (isAborted) this.#report({ outcome: 'aborted' })
    else {
      // The client's error message has less detail.
      const why = cause instanceof Error ? cause.message : message
      this.#report({
        outcome: 'error',
        error: code,
        message: why,
        ...(summary !== undefined && { summary }),
      })
    }
  }

  #report(
    outcome: Pick<GatewayReport, 'outcome' | 'error' | 'message' | 'summary' | 'usage'>,
  ): void {
    const { calls = [] } = this.#answered ?? {}
    const { malformed, retries } = this.#attempts
    this.#client.onReport?.({
      ...this.#facts,
      ...outcome,
      calls: calls.length,
      callNames: calls.slice(0, MAX_NAMES).map(({ name }) => name),
      repairs: calls.flatMap(({ repairs }) => repairs),
      malformed,
      retries,
      ...(this.#firstByte !== undefined && { firstByte: Math.round(this.#firstByte) }),
      duration: Math.round(performance.now() - this.#start),
      notes: [...this.#notes],
    })
  }
}

const MAX_NAMES = 20

/** Limits the header that contains all notes. */
const MAX_NOTES = 40
