import { JournalError, type JournalRecord, type RunLog } from '../../journal/journal.ts'
import {
  areAlternatives,
  type CallKey,
  isInside,
  parseKey,
  printKey,
  type RecordKey,
} from '../../journal/keys.ts'

/** The operations that make a run resumable after it was killed. Keys are unique within a run. */
export interface Steps {
  /** Resolves when all records so far are durable. Fails if any of them could not be written. */
  readonly flush: () => Promise<void>
  /** True if a value is recorded under a key. */
  readonly has: (key: RecordKey) => boolean
  /**
   * Returns the value recorded under a key. If no value exists, does the work, records the result
   * and returns it, possibly before it is durable: call `flush` before any work with an effect.
   * Work that must not be repeated first calls `begin`, which flushes and records the start. If a
   * start was recorded without an end, the work is not repeated: the result of `interrupted` is
   * recorded instead, unless it is `AGAIN`.
   */
  readonly step: <Value>(
    key: RecordKey,
    work: (begin: (about: object) => Promise<void>) => Promise<Value>,
    interrupted?: (began: Beginning) => Promise<Value | typeof AGAIN>,
  ) => Promise<Value>
  /**
   * Waits for an answer under a key: a recorded answer, one from outside, or the result of `ask`.
   * The first answer counts. The request is recorded, so that other processes can show and answer
   * it.
   */
  readonly wait: <Value, Request extends object>(
    key: RecordKey,
    waiting: Waiting<Value, Request>,
  ) => Promise<Value>
  /** True if there is a recorded answer to an approval request for a call. */
  readonly isApprovalAnswered: (call: CallKey) => boolean
  /** The recorded request under a key. */
  readonly requested: (key: RecordKey) => unknown
  /** Answers the other open requests for the call, which are no longer needed. */
  readonly withdrawOthers: (key: RecordKey, answer: object) => Promise<void>
  /**
   * Records the end of the run under a key. `messages` is the number of messages read. Returns
   * false if there are unread messages, in which case the run has not ended.
   */
  readonly end: (key: RecordKey, value: object, messages: number) => Promise<boolean>
}

/** Returned if the interrupted work turns out not to have been done, so that it is done now. */
export const AGAIN: unique symbol = Symbol('again')

/** The recorded start of work. */
export interface Beginning {
  /** Milliseconds since 1970. */
  readonly time: number
  /** The value of the record. */
  readonly about: unknown
}

/** A request and the ways to answer it. */
interface Waiting<Value, Request> {
  readonly request: Request
  /**
   * Called with the recorded request if another process recorded it, because then there is no new
   * record to create an event from.
   */
  readonly onAgain?: (recorded: Request) => void
  /**
   * Returns an error to stop waiting. Called with the recorded request. An existing answer takes
   * precedence.
   */
  readonly suspend?: (recorded: Request) => Error | undefined
  /** Asks for an answer in this process. Called with the recorded request. */
  readonly ask?: (signal: AbortSignal, recorded: Request) => Promise<Value>
  readonly signal: AbortSignal
}

/**
 * Called when a record is appended. Returns a function to call once the record is durable, or
 * without an argument if that failed.
 */
export type OnAppend = () => (record?: JournalRecord) => void

/** Creates steps recorded in a journal. */
export function createSteps(log: RunLog, onAppend: OnAppend = () => () => {}): Steps {
  const begun = new Map<string, Beginning>()
  /**
   * The earlier records by key. For new records, only the keys are kept, because their values are
   * not needed again.
   */
  const values = new Map<string, JournalRecord | undefined>()
  const asked = new Map<string, unknown>()
  const answers = new Map<string, JournalRecord | { readonly value: unknown }>()
  for (const record of log.before) {
    const { key, kind } = record
    if (kind === 'begin') begun.set(key, { time: record.time, about: record.value })
    else if (kind === 'value') values.set(key, record)
    else if (kind === 'wait') asked.set(key, record.value)
    else if (kind === 'answer') answers.set(key, record)
  }
  const askedBefore = new Set(asked.keys())
  /** The first error while recording. Nothing is recorded after it. */
  let failure: { readonly error: unknown } | undefined
  /** The values to write next. */
  let waiting: Value[] = []
  let writing: Promise<void> | undefined

  /**
   * Writes all values in the queue in one step, then those added in the meantime. A record thus
   * exists only if all records before it do.
   */
  async function write(): Promise<void> {
    // Include all values of this tick.
    await Promise.resolve()
    while (waiting.length > 0 && !failure) {
      const values = waiting
      waiting = []
      try {
        const stored = await log.appendAll(
          values.map(({ key, value }) => ({ key, kind: 'value', value })),
        )
        for (const [at, { key, value, done }] of values.entries())
          done({ key, kind: 'value', value, time: stored[at]!.time })
      } catch (error) {
        failure = { error }
        for (const { done } of values) done()
      }
    }
    for (const { done } of waiting) done()
    waiting = []
    writing = undefined
  }

  async function flush(): Promise<void> {
    await writing
    if (failure) throw failure.error
  }

  async function record<Value>(key: string, value: Value): Promise<Value> {
    if (failure) throw failure.error
    waiting.push({ key, value, done: onAppend() })
    writing ??= write()
    values.set(key, undefined)
    if (waiting.length > MAX_WAITING) await flush()
    return value
  }

  /** Appends a record after all others and waits until it is durable. */
  async function append(
    key: string,
    kind: JournalRecord['kind'],
    value: unknown,
    options?: { readonly messagesRead: number },
  ): Promise<void> {
    await flush()
    const done = onAppend()
    try {
      const { time } = await log.append({ key, kind, value }, options)
      done({ key, kind, value, time })
    } catch (error) {
      done()
      throw error
    }
  }

  /** Returns false if an answer from outside arrived first. */
  async function recordAnswer(key: string, value: unknown): Promise<boolean> {
    try {
      await append(key, 'answer', value)
      return true
    } catch (error) {
      if (error instanceof JournalError && error.problem === 'taken') return false
      throw error
    }
  }

  return {
    flush,
    has: (key) => values.has(printKey(key)),

    async step<Value>(
      stepKey: RecordKey,
      work: (begin: (about: object) => Promise<void>) => Promise<Value>,
      interrupted?: (began: Beginning) => Promise<Value | typeof AGAIN>,
    ) {
      const key = printKey(stepKey)
      const known = values.get(key)
      if (known) return known.value as Value
      if (values.has(key)) throw new Error(`${key} was already recorded.`)
      let at = key
      let began = begun.get(at)
      for (let number = 0; stepKey.type === 'call' && begun.has(at); number++) {
        began = begun.get(at)
        at = printKey({ ...stepKey, type: 'again', number })
      }
      if (began && interrupted) {
        const value = await interrupted(began)
        if (value !== AGAIN) return record(key, value)
      }
      const begin = async (about: object): Promise<void> => {
        if (begun.has(at)) return
        await append(at, 'begin', about)
        begun.set(at, { time: Date.now(), about })
      }
      return record(key, await work(begin))
    },

    async wait<Value, Request extends object>(
      requestKey: RecordKey,
      { request, onAgain, suspend, ask, signal }: Waiting<Value, Request>,
    ) {
      const key = printKey(requestKey)
      const known = answers.get(key)
      if (known) return known.value as Value
      const recorded = (asked.get(key) ?? request) as Request
      if (askedBefore.delete(key)) onAgain?.(recorded)
      else if (!asked.has(key)) await append(key, 'wait', request)
      asked.set(key, recorded)
      const reason = suspend?.(recorded)
      if (reason) {
        const given = await log.findAnswer(key)
        if (!given) throw reason
        answers.set(key, given)
        return given.value as Value
      }
      const stop = new AbortController()
      const either = AbortSignal.any([signal, stop.signal])
      try {
        const outside = log.waitForAnswer(key, either).then((value) => ({ value, recorded: true }))
        const inside = ask?.(either, recorded).then((value) => ({ value, recorded: false }))
        const first = await Promise.race(inside ? [outside, inside] : [outside])
        const counts =
          first.recorded || (await recordAnswer(key, first.value))
            ? first.value
            : (await outside).value
        answers.set(key, { value: counts })
        return counts as Value
      } finally {
        stop.abort()
      }
    },

    isApprovalAnswered(call) {
      const outcome = printKey(call)
      return [...answers.keys()].some(
        (key) => isInside(key, outcome) && parseKey(key)?.type === 'approval',
      )
    },

    requested: (key) => asked.get(printKey(key)),

    async withdrawOthers(key, answer) {
      const own = printKey(key)
      for (const other of asked.keys()) {
        if (!areAlternatives(own, other) || answers.has(other)) continue
        answers.set(other, { value: answer })
        await recordAnswer(other, answer)
      }
    },

    async end(endKey, value, messagesRead) {
      const key = printKey(endKey)
      try {
        await append(key, 'value', value, { messagesRead })
        values.set(key, undefined)
        return true
      } catch (error) {
        if (error instanceof JournalError && error.problem === 'unread') return false
        throw error
      }
    },
  }
}

/** A value to record. */
interface Value {
  readonly key: string
  readonly value: unknown
  readonly done: ReturnType<OnAppend>
}

/** The maximum number of values in the queue while the run continues. */
const MAX_WAITING = 8
