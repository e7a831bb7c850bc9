import { JournalError, type RunLog } from '../../journal/journal.ts'

/** The two operations that make a run resumable after it was killed. Keys are unique in a run. */
export interface Steps {
  /**
   * Returns what was recorded under a key; otherwise does the work, records its value and returns that. Work whose effect
   * must not happen twice calls `begin` first: if it began and its end was not recorded, it is not done again, and the
   * value of `interrupted` is recorded instead.
   */
  readonly step: <Value>(
    key: string,
    work: (begin: () => Promise<void>) => Promise<Value>,
    interrupted?: () => Value,
  ) => Promise<Value>
  /**
   * Waits for an answer under a key: one recorded before, one added to the journal from outside, or the one from `ask`.
   * The first answer counts. Waiting is recorded, so that others can see that an answer is pending.
   */
  readonly wait: <Value>(
    key: string,
    ask: ((signal: AbortSignal) => Promise<Value>) | undefined,
    signal: AbortSignal,
  ) => Promise<Value>
}

/** Creates steps that are recorded in a journal. */
export function createSteps(log: RunLog): Steps {
  const begun = new Set<string>()
  const values = new Map<string, unknown>()
  const asked = new Set<string>()
  const answers = new Map<string, unknown>()
  for (const { key, kind, value } of log.before) {
    if (kind === 'begin') begun.add(key)
    else if (kind === 'value') values.set(key, value)
    else if (kind === 'wait') asked.add(key)
    else answers.set(key, value)
  }

  async function record<Value>(key: string, value: Value): Promise<Value> {
    await log.append({ key, kind: 'value', value })
    values.set(key, value)
    return value
  }

  /** Returns false if an answer from outside was first. */
  async function recordAnswer(key: string, value: unknown): Promise<boolean> {
    try {
      await log.append({ key, kind: 'answer', value })
      return true
    } catch (error) {
      if (error instanceof JournalError && error.problem === 'taken') return false
      throw error
    }
  }

  return {
    async step<Value>(
      key: string,
      work: (begin: () => Promise<void>) => Promise<Value>,
      interrupted?: () => Value,
    ) {
      if (values.has(key)) return values.get(key) as Value
      if (begun.has(key) && interrupted) return record(key, interrupted())
      const begin = async (): Promise<void> => {
        if (begun.has(key)) return
        await log.append({ key, kind: 'begin', value: null })
        begun.add(key)
      }
      return record(key, await work(begin))
    },

    async wait<Value>(
      key: string,
      ask: ((signal: AbortSignal) => Promise<Value>) | undefined,
      signal: AbortSignal,
    ) {
      if (answers.has(key)) return answers.get(key) as Value
      if (!asked.has(key)) await log.append({ key, kind: 'wait', value: null })
      asked.add(key)
      const stop = new AbortController()
      const either = AbortSignal.any([signal, stop.signal])
      try {
        const outside = log.waitForAnswer(key, either).then((value) => ({ value, recorded: true }))
        const inside = ask?.(either).then((value) => ({ value, recorded: false }))
        const first = await Promise.race(inside ? [outside, inside] : [outside])
        const counts =
          first.recorded || (await recordAnswer(key, first.value))
            ? first.value
            : (await outside).value
        answers.set(key, counts)
        return counts as Value
      } finally {
        stop.abort()
      }
    },
  }
}
