import type { Message } from '../../context/message.ts'
import { type Journal, JournalError, type JournalRecord } from '../../journal/journal.ts'
import { CONTENT, type Content, isContent } from '../../model/chat-message.ts'
import { parseKey, printKey } from '../../journal/keys.ts'
import type { ForkSource } from '../../journal/run-summary.ts'
import { mustBe } from '@toolglot/permissions/errors/internal'
import { callsOf, type Turn } from '../turn/recorded-turn.ts'
import { isInput, readHistory, type RunInput, type RunSetup, saidBefore } from './history.ts'

/** The differences between a fork and its source. */
export interface ForkRunOptions {
  /** The id of the fork. */
  readonly id: string
  /** The first turn that is not copied. Default: copy all turns. */
  readonly turn?: number | undefined
  /** Replaces the message before this turn. If there is none, the prompt is added. */
  readonly prompt?: Content | undefined
  /** Text in the prompt that comes from untrusted sources. */
  readonly untrusted?: readonly string[] | undefined
  /** The owner of the fork. Default: none, even if the source has an owner. */
  readonly owner?: string | undefined
}

/**
 * Copies a run, up to a certain turn, to a new run. Calling `run` with the id of the fork continues
 * it, possibly with a different model or tools. Files are not changed.
 */
export async function forkRun(
  journal: Journal,
  run: string,
  { id, turn, prompt, untrusted = [], owner }: ForkRunOptions,
): Promise<void> {
  if (typeof run !== 'string')
    throw new TypeError(`The id of the run to fork must be a string, not ${typeof run}.`)
  if (prompt !== undefined && !isContent(prompt))
    throw new TypeError(mustBe('prompt', CONTENT, prompt))
  const records = await journal.read(run)
  if (records.length === 0)
    throw new JournalError('missing', `No run named ${run} to fork. List runs with journal.runs().`)
  const { turns, ends, arrivals } = readHistory(records)
  const from = turn ?? turns
  if (!Number.isInteger(from) || from < 0 || from > turns) {
    const advice = turns === 0 ? 'It has no turns yet: use 0' : `Use a turn from 0 to ${turns}`
    throw new JournalError('missing', `The run ${run} cannot be forked at turn ${from}. ${advice}.`)
  }
  const [source] = await journal.runs({ run })
  const imported = source?.imported ?? true
  const copied = copyUpTo(
    records,
    { run, turn: from },
    {
      untrusted,
      ...(prompt !== undefined && { prompt }),
      ...(owner !== undefined && { owner }),
    },
  )
  if (prompt !== undefined && from > 0) {
    const input: RunInput = {
      message: { role: 'user', content: prompt },
      turn: from,
      ...(untrusted.length > 0 && { untrusted }),
      ...(from === turns && saidBefore(ends.at(-1))),
    }
    const number = arrivals.filter((each) => isInput(each) && each.turn < from).length
    const key = printKey({ type: 'input', number })
    copied.push({ key, kind: 'value', value: input, time: Date.now() })
  }
  await journal.add({ run: id, imported, records: copied })
}

/** The ids of a run's calls, starting at a certain turn. */
export function callsSince(records: readonly JournalRecord[], turn: number): readonly string[] {
  return records.flatMap(({ key, kind, value }) => {
    const step = kind === 'value' ? parseKey(key) : undefined
    const isSince = step?.type === 'turn' && !step.final && step.turn >= turn
    return isSince ? callsOf(value as Turn).map(({ id }) => id) : []
  })
}

function copyUpTo(
  records: readonly JournalRecord[],
  forkOf: ForkSource,
  { prompt, untrusted = [], owner }: Omit<ForkRunOptions, 'id' | 'turn'>,
): JournalRecord[] {
  const { turn } = forkOf
  const answered = new Set(records.flatMap(({ kind, key }) => (kind === 'answer' ? [key] : [])))
  return records.flatMap((record): JournalRecord[] => {
    const { key, kind, value } = record
    const step = parseKey(key)
    // The fork repeats requests without an answer.
    if (kind === 'message' || (kind === 'wait' && !answered.has(key))) return []
    if (!step) return []
    if (step.type === 'setup') {
      // A fork starts its own trace.
      const { owner: _, trace: __, ...source } = value as RunSetup
      const setup = { ...source, ...(owner !== undefined && { owner }) }
      if (turn > 0) return [{ ...record, value: { ...setup, forkOf } }]
      const messages = withPrompt(setup.messages, prompt)
      const all = [...(setup.untrusted ?? []), ...untrusted]
      const more = all.length > 0 ? { untrusted: all } : {}
      return [{ ...record, value: { ...setup, ...more, messages, forkOf } }]
    }
    if ('turn' in step) return !step.final && step.turn < turn ? [record] : []
    if (step.type === 'late') return (value as { turn: number }).turn <= turn ? [record] : []
    if (step.type !== 'input') return []
    // The fork does not contain messages sent to the source, so inputs have no number.
    const { number: _, ...input } = value as RunInput
    const isKept = input.turn < turn || (input.turn === turn && prompt === undefined)
    return isKept ? [{ ...record, value: input }] : []
  })
}

/** Replaces the last prompt in the messages. */
function withPrompt(messages: readonly Message[], prompt: Content | undefined): readonly Message[] {
  const last = messages.filter(({ role }) => role === 'user').at(-1)
  if (prompt === undefined) return messages
  return messages.map((each) => (each === last ? { role: 'user', content: prompt } : each))
}
