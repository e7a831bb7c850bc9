import { JournalError, type JournalRecord, type RunLog } from '../../journal/journal.ts'
import {
  areAlternatives,
  type CallKey,
  isInside,
  parseKey,
  printKey,
  type RecordKey,
} from '../../journal/keys.ts'

/** The two operations that make a run resumable after it was killed. Keys are unique in a run. */
export interface Steps {
  /** Resolves when all records so far are durable. Fails if one could not be written. */
  readonly flush: () => Promise<void>
  /** Whether a value is recorded under a key. */
  readonly has: (key: RecordKey) => boolean
  /**
   * Returns the value recorded under a key. Without one, does the work, records its value and returns it, before it is durable:
   * call `flush` before anything with an effect. Work that must not be repeated first calls `begin`, which flushes and records
   * the beginning. If there is a beginning without an end, the work is not repeated: the value of `interrupted` is recorded
   * instead, unless that is `AGAIN`.
   */
  readonly step: <Value>(
    key: RecordKey,
    work: (begin: (about: object) => Promise<void>) => Promise<Value>,
    interrupted?: (began: Beginning) => Promise<Value | typeof AGAIN>,
  ) => Promise<Value>
  /**
   * Waits for an answer under a key: a recorded one, one from outside, or the one of `ask`. The first answer counts. The
   * request is recorded, so that other processes can show it and answer.
   */
  readonly wait: <Value, Request extends object>(
    key: RecordKey,
    waiting: Waiting<Value, Request>,
  ) => Promise<Value>
  /** Whether an answer to a request for a call's approval is recorded. */
  readonly isApprovalAnswered: (call: CallKey) => boolean
  /** The request that is recorded under a key. */
  readonly requested: (key: RecordKey) => unknown
  /** Answers the other open requests about the same call, which are no longer needed. */
  readonly withdrawOthers: (key: RecordKey, answer: object) => Promise<void>
  /**
   * Records the end of the run under a key. False if there are unread messages: it has not ended then. `messages` is how
   * many were read.
   */
  readonly end: (key: RecordKey, value: object, messages: number) => Promise<boolean>
}

/** Returned if interrupted work turns out not to have been done: then it is done now. */
export const AGAIN: unique symbol = Symbol('again')

/** The recorded beginning of some work. */
export interface Beginning {
  /** In milliseconds since 1970. */
  readonly time: number
  /** The value of the record. */
  readonly about: unknown
}

/** A request, and the ways to get an answer. */
interface Waiting<Value, Request> {
  readonly request: Request
  /** Called with the recorded request, if another process recorded it: then no event follows from a record. */
  readonly onAgain?: (recorded: Request) => void
  /** Returns a reason not to wait. Called with the recorded request. An existing answer counts all the same. */
  readonly suspend?: (recorded: Request) => Error | undefined
  /** Asks in this process. Called with the recorded request. */
  readonly ask?: (signal: AbortSignal, recorded: Request) => Promise<Value>
  readonly signal: AbortSignal
}

/** Called when a record is appended. Returns a function to call when it is durable, or without a record if that failed. */
export type OnAppend = () => (record?: JournalRecord) => void

/** Creates steps that are recorded in a journal. */
export function createSteps(log: RunLog, onAppend: OnAppend = () => () => {}): Steps {
  const begun = new Map<string, Beginning>()
  /** Earlier records. New ones keep only their keys: their values are not needed again. */
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
  /** The first failure to record. Nothing is recorded after it. */
  let failure: { readonly error: unknown } | undefined
  /** The values that are not being written yet. */
  let waiting: Value[] = []
  let writing: Promise<void> | undefined

  /**
   * Writes all waiting values at once, and then those that arrived meanwhile. So a record exists only if those before it do.
   */
  async function write(): Promise<void> {
    // Includes all values of this tick.
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

  /** Appends a record after all others, and waits until it is durable. */
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

  /** Returns false if an answer from outside was first. */
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

/** How many values may wait for the disk while the run continues. */
const MAX_WAITING = 8
