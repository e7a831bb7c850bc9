import type { CallFormat } from '@toolglot/agent/adapter/internal'
import type { Answered } from './answer.ts'
import type { AnswerEvent } from './answer-event.ts'
import type { GatewayError } from './gateway-error.ts'
import type { GatewayReport } from './report.ts'

/** Collects what happens to one request, and reports it once it has ended. */
export class RequestRecord {
  readonly #path: string
  readonly #onReport: ((report: GatewayReport) => void) | undefined
  readonly #start = performance.now()
  readonly #notes = new Set<string>()
  #facts: Pick<GatewayReport, 'model' | 'protocol' | 'stream'> = { stream: false }
  #firstByte: number | undefined
  #end: Extract<AnswerEvent, { type: 'end' }>['end'] | undefined
  #answered: Answered | undefined

  constructor(path: string, onReport: ((report: GatewayReport) => void) | undefined) {
    this.#path = path
    this.#onReport = onReport
  }

  readonly note = (note: string): void => {
    this.#notes.add(note)
  }

  /** The request was read, and its model found. */
  began(name: string, { protocol }: CallFormat, stream: boolean): void {
    this.#facts = { model: name, protocol: protocol?.id ?? 'native', stream }
  }

  add(event: AnswerEvent): void {
    this.#firstByte ??= performance.now() - this.#start
    if (event.type === 'end') this.#end = event.end
  }

  answered(answered: Answered): void {
    this.#answered = answered
  }

  /** What the headers of the response say, as far as it is known. */
  headers(): Record<string, string> {
    const { protocol } = this.#facts
    return {
      ...(protocol !== undefined && { 'x-toolglot-protocol': protocol }),
      ...(this.#notes.size > 0 && { 'x-toolglot-notes': [...this.#notes].join(', ') }),
    }
  }

  /** The request was answered. */
  end(): void {
    const { reason, usage } = this.#end!
    const outcome = ({ answer: 'answer', calls: 'calls', length: 'cut_off' } as const)[reason]
    this.#report({ outcome, usage })
  }

  fail({ code, message, cause }: GatewayError, isAborted: boolean): void {
    if (isAborted) this.#report({ outcome: 'aborted' })
    else {
      // What the client is told says less.
      const why = cause instanceof Error ? cause.message : message
      this.#report({ outcome: 'error', error: code, message: why })
    }
  }

  #report(outcome: Pick<GatewayReport, 'outcome' | 'error' | 'message' | 'usage'>): void {
    const { calls = [], malformed = 0, retries = 0 } = this.#answered ?? {}
    this.#onReport?.({
      path: this.#path,
      ...this.#facts,
      ...outcome,
      calls: calls.length,
      repairs: calls.flatMap(({ repairs }) => repairs),
      malformed,
      retries,
      ...(this.#firstByte !== undefined && { firstByte: Math.round(this.#firstByte) }),
      duration: Math.round(performance.now() - this.#start),
      notes: [...this.#notes],
    })
  }
}
