import { JournalError, type RunLog } from '../../journal/journal.ts'

/** The two things that a run does so that it can go on after it was killed. Keys are unique in a run. */
export interface Steps {
  /**
   * What was recorded under a key; else does the work, records what it gave, and gives that. Work with an effect that
   * must not happen twice calls `begin` first: if it was begun and nothing is known of its end, it is not done again,
   * and `interrupted` says what is recorded instead.
   */
  readonly step: <Value>(
    key: string,
    work: (begin: () => Promise<void>) => Promise<Value>,
    interrupted?: () => Value,
  ) => Promise<Value>
  /**
   * What somebody said under a key: recorded before, or told to the journal by somebody outside, or given by `ask`. The
   * first answer counts. That it waits is recorded, so that others can see it.
   */
  readonly wait: <Value>(
    key: string,
    ask: ((signal: AbortSignal) => Promise<Value>) | undefined,
    signal: AbortSignal,
  ) => Promise<Value>
}

/** Steps that are recorded in a journal. */
export function createSteps(log: RunLog): Steps {
  const begun = new Set<string>()
  const known = new Map<string, unknown>()
  const asked = new Set<string>()
  const answers = new Map<string, unknown>()
  for (const { key, kind, value } of log.before) {
    if (kind === 'begin') begun.add(key)
    else if (kind === 'value') known.set(key, value)
    else if (kind === 'wait') asked.add(key)
    else answers.set(key, value)
  }

  async function record<Value>(key: string, value: Value): Promise<Value> {
    await log.append({ key, kind: 'value', value })
    known.set(key, value)
    return value
  }

  /** False: somebody outside was faster. */
  async function isFirst(key: string, value: unknown): Promise<boolean> {
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
      if (known.has(key)) return known.get(key) as Value
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
        const outside = log.answered(key, either).then((value) => ({ value, recorded: true }))
        const inside = ask?.(either).then((value) => ({ value, recorded: false }))
        const first = await Promise.race(inside ? [outside, inside] : [outside])
        const counts =
          first.recorded || (await isFirst(key, first.value)) ? first.value : (await outside).value
        answers.set(key, counts)
        return counts as Value
      } finally {
        stop.abort()
      }
    },
  }
}
