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
  /** Resolves when everything is durable that was recorded so far; fails if something could not be recorded. */
  readonly flush: () => Promise<void>
  /** Whether a value is recorded under a key. */
  readonly has: (key: RecordKey) => boolean
  /**
   * Returns what was recorded under a key; otherwise does the work, records its value and returns that, without waiting
   * until it is durable: `flush` does, and must come before anything that has an effect. Work whose effect must not happen
   * twice calls `begin` first, which flushes, with what is recorded about its beginning: if it began and its end was not
   * recorded, it is not done again, and the value of `interrupted` is recorded instead, unless that is `AGAIN`.
   */
  readonly step: <Value>(
    key: RecordKey,
    work: (begin: (about: object) => Promise<void>) => Promise<Value>,
    interrupted?: (began: Beginning) => Promise<Value | typeof AGAIN>,
  ) => Promise<Value>
  /**
   * Waits for an answer under a key: one recorded before, one added to the journal from outside, or the one from `ask`.
   * The first answer counts. The request is recorded, so that others can see it and answer.
   */
  readonly wait: <Value, Request extends object>(
    key: RecordKey,
    waiting: Waiting<Value, Request>,
  ) => Promise<Value>
  /** Whether an answer to a request for a call's approval is recorded. */
  readonly isApprovalAnswered: (call: CallKey) => boolean
  /** The request that is recorded under a key. */
  readonly requested: (key: RecordKey) => unknown
  /** Answers the other requests about the same call that have no answer yet: they are not needed any more. */
  readonly withdrawOthers: (key: RecordKey, answer: object) => Promise<void>
  /**
   * Records the end of the run under a key. False if there are unread messages: it has not ended then. `messages` is how
   * many were read.
   */
  readonly end: (key: RecordKey, value: object, messages: number) => Promise<boolean>
}

/** It turned out that the work was not done, so that it is done now. */
export const AGAIN: unique symbol = Symbol('again')

/** That some work began. */
export interface Beginning {
  /** In milliseconds since 1970. */
  readonly time: number
  /** What was recorded about it. */
  readonly about: unknown
}

/** What somebody is asked. */
interface Waiting<Value, Request> {
  readonly request: Request
  /** Called with the request that another process recorded, if there is one: no event is emitted for it again. */
  readonly onAgain?: (recorded: Request) => void
  /** Why not to wait, unless there is an answer already. Gets the request as it is recorded. */
  readonly suspend?: (recorded: Request) => Error | undefined
  /** Asks in this process. Gets the request as it is recorded. */
  readonly ask?: (signal: AbortSignal, recorded: Request) => Promise<Value>
  readonly signal: AbortSignal
}

/** Called when a record is appended. Returns what is called when it is durable, or when it could not be recorded. */
export type OnAppend = () => (record?: JournalRecord) => void

/** Creates steps that are recorded in a journal. */
export function createSteps(log: RunLog, onAppend: OnAppend = () => () => {}): Steps {
  const begun = new Map<string, Beginning>()
  /** The records from before. Of what is recorded now only the keys are kept: nobody asks for it again. */
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
  /** What could not be recorded. Nothing is recorded after it. */
  let failure: { readonly error: unknown } | undefined
  /** The values that are not yet on their way to the disk. */
  let waiting: Value[] = []
  let writing: Promise<void> | undefined

  /**
   * Writes the values that are waiting at once, and then those that came meanwhile. So a record is there only if those
   * before it are.
   */
  async function write(): Promise<void> {
    // Everything that is recorded in this tick.
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

  /** Appends a record that the run has to wait for, after all others. */
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
