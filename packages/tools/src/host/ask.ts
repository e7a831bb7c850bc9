import type { Answers, Ask } from '@toolglot/agent'
import { unlessAborted } from './unless-aborted.ts'

/** Answers from a list, for tests: one for each time it is asked; nothing left is nobody answering. */
export function scriptedAsk(...script: readonly (Answers | Error)[]): Ask {
  const left = [...script]
  return async (_questions, signal) => {
    const next = left.shift()
    if (next instanceof Error) throw next
    return next ?? (await unlessAborted(signal, new Promise<never>(() => {})))
  }
}
