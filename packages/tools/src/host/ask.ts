import type { Answers, Ask } from '@toolglot/agent'
import { unlessAborted } from '@toolglot/agent/internal'

/** An `Ask` for tests that answers from a list, one entry per call. After the last entry it never answers. */
export function scriptedAsk(...script: readonly (Answers | Error)[]): Ask {
  const left = [...script]
  return async (_questions, signal) => {
    const next = left.shift()
    if (next instanceof Error) throw next
    return next ?? (await unlessAborted(signal, new Promise<never>(() => {})))
  }
}
