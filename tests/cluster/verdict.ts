import type { Journal } from '@toolglot/agent/journal'
import { countEffects } from './effects.mjs'
import { answerWith, callsOfRun } from './script.ts'

/** The counts after all processes have ended. */
export interface Verdict {
  readonly runs: number
  readonly ended: number
  readonly effects: number
  readonly doubled: number
  /** Successful calls whose effect did not happen. */
  readonly lost: number
  /** The number of calls reported to the model as unknown, and how many of them were done. */
  readonly unknown: number
  readonly unknownDone: number
  /** Unknown calls of a tool that can check if they were done. */
  readonly unknownThoughVerifiable: number
  /** The number of calls that count as successful because their tool confirmed them afterwards. */
  readonly verified: number
  /** The number of times that a tool found a call done, or not done. */
  readonly found: number
  readonly missing: number
  /** Effects refused because their key was a duplicate. */
  readonly refused: number
  /** Runs whose model counted another number of unknown outcomes than the journal. */
  readonly miscounted: number
  /** The problems found, as text. */
  readonly problems: string[]
}

/** Compares the journal's record of every run with the actual effects. */
export async function verdict(journal: Journal, effectsFolder: string): Promise<Verdict> {
  const { counts: effects, ...asked } = countEffects(effectsFolder)
  const runs = await journal.runs({ limit: 1_000_000 })
  const counts = { ended: 0, doubled: 0, lost: 0, unknown: 0, unknownDone: 0 }
  const more = { unknownThoughVerifiable: 0, verified: 0, miscounted: 0 }
  const problems: string[] = []
  for (const { run, reason } of runs) {
    const records = await journal.read(run)
    const valueAt = (key: string): Record<string, unknown> | undefined =>
      records.find((record) => record.key === key && record.kind === 'value')?.value as
        | Record<string, unknown>
        | undefined
    let unknown = 0
    for (const { key, tool } of callsOfRun) {
      const outcome = valueAt(key)
      const times = effects.get(`${run}/${key}`) ?? 0
      const what = `${run}/${key} (${tool}): ${String(outcome?.['status'])}, done ${times} times`
      if (outcome?.['verified'] === true) more.verified++
      if (times > 1) {
        counts.doubled++
        problems.push(what)
      }
      if (outcome?.['status'] === 'unknown') {
        unknown++
        if (times > 0) counts.unknownDone++
        if (tool === 'send') {
          more.unknownThoughVerifiable++
          problems.push(what)
        }
      } else if (outcome?.['status'] !== 'success' || times === 0) {
        counts.lost++
        problems.push(what)
      }
    }
    counts.unknown += unknown
    if (reason === 'answer') counts.ended++
    else problems.push(`${run} ended with ${String(reason)}`)
    const end = records.filter(({ key }) => key.startsWith('end/')).at(-1)?.value as
      | { readonly text?: string }
      | undefined
    if (end?.text !== answerWith(unknown)) {
      more.miscounted++
      problems.push(`${run} has ${unknown} unknown calls, and its model said: ${String(end?.text)}`)
    }
  }
  return {
    runs: runs.length,
    effects: [...effects.values()].reduce((sum, count) => sum + count, 0),
    ...asked,
    ...counts,
    ...more,
    problems,
  }
}
