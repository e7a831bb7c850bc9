import type { JournalRecord } from '../../journal/journal.ts'
import { parseKey } from '../../journal/keys.ts'
import { noPrompt, restorePrompt, type SentPrompt } from '../turn/sent-prompt.ts'
import type { PromptedTurn, Turn } from '../turn/recorded-turn.ts'

/** A turn of a run, with everything that was sent and received. */
export interface RecordedTurn extends Turn {
  /** The key of its record: `turn/N`, or `final/N` for a last turn without tools. */
  readonly key: string
  /** What the model was sent. */
  readonly prompt: SentPrompt
  /** When it was recorded, in milliseconds since 1970. */
  readonly time: number
}

/** The turns of a run with the whole prompt of each, in order. */
export function* recordedTurns(records: Iterable<JournalRecord>): Generator<RecordedTurn> {
  let before = noPrompt
  for (const { key, kind, value, time } of records) {
    const step = kind === 'value' ? parseKey(key) : undefined
    if (step?.type !== 'turn') continue
    const { prompt: recorded, ...turn } = value as PromptedTurn
    const prompt = restorePrompt(recorded, before)
    yield { ...turn, key, time, prompt }
    if (!step.final) before = prompt
  }
}
