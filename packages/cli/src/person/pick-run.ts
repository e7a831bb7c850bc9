import type { Journal, RunSummary } from '@toolglot/agent/journal'
import { visibleLine } from '@toolglot/workspace/internal'
import { age } from '../show/text/age.ts'
import { truncate } from '../show/text/width.ts'
import { pick, type PickOptions } from './pick.ts'

/** Asks a person to pick one of the latest runs. */
export async function pickRun(
  journal: Pick<Journal, 'runs'>,
  asking: Pick<PickOptions, 'keyboard' | 'signal'>,
): Promise<RunSummary | undefined> {
  const now = Date.now()
  const choices = (await journal.runs({ limit: MAX_CHOICES })).map((value) => {
    const { name, prompt = '', last, run } = value
    const title = truncate(visibleLine(name ?? prompt), 60)
    return { value, label: `${title}  (${run}, ${age(now - last) ?? 'now'})` }
  })
  const advice = 'toolglot runs lists them, and last is the latest one'
  return pick(choices, { what: 'a run', advice, ...asking })
}

const MAX_CHOICES = 15
