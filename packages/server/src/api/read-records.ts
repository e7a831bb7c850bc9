import { replay, type RunEvent } from '@toolglot/agent'
import {
  type JournalRecord,
  type RecordedTurn,
  recordedTurns,
  type RunSummary,
} from '@toolglot/agent/journal'
import type { z } from 'zod'
import { HttpError } from '../security/http-error.ts'
import { recordedTurn } from './schemas/recorded-turn.ts'
import { runEvent } from './schemas/run-event.ts'
import { yieldToOthers } from '@toolglot/agent/adapter/internal'

/**
 * The run that the records are from. Records of an imported run may have any shape, so events read
 * from them are checked.
 */
type RunOrigin = Pick<RunSummary, 'run' | 'imported'>

/** The recorded events of a run, in order. Throws an HttpError if the records are invalid. */
export function* recordedEvents(
  origin: RunOrigin,
  records: readonly JournalRecord[],
): Generator<RunEvent, void> {
  for (const event of readable(replay(origin.run, records))) yield checked(origin, event, runEvent)
}

/** One turn of a run, counted from 0, or the number of turns. Throws like `recordedEvents`. */
export function findTurn(
  origin: RunOrigin,
  records: readonly JournalRecord[],
  turn: string,
): RecordedTurn | number {
  let number = 0
  for (const recorded of readable(recordedTurns(records)))
    if (String(number++) === turn) return checked(origin, recorded, recordedTurn)
  return number
}

function* readable<Value>(values: Iterable<Value>): Generator<Value, void> {
  try {
    yield* values
  } catch (error) {
    // A record lacks a field that every run writes.
    throw error instanceof TypeError ? invalidRecords() : error
  }
}

function checked<Value>({ imported }: RunOrigin, value: Value, schema: z.ZodType<Value>): Value {
  if (imported && !schema.safeParse(value).success) throw invalidRecords()
  return value
}

function invalidRecords(): HttpError {
  return new HttpError('invalid_file', 'The records of this run are invalid.', {
    action: 'Delete the imported run, and import another export.',
  })
}

/**
 * Visits the recorded events of a run in order until `visit` returns true, and regularly yields to
 * other requests. Throws an HttpError if the events can't be read.
 */
export async function visitEvents(
  run: RunOrigin,
  records: readonly JournalRecord[],
  {
    visit,
    signal,
  }: {
    /** Returns true to stop. */
    readonly visit: (event: RunEvent) => boolean | void
    readonly signal?: AbortSignal | undefined
  },
): Promise<boolean> {
  for (const event of recordedEvents(run, records)) {
    if (visit(event) === true) return true
    const pause = yieldToOthers()
    if (!pause) continue
    await pause
    signal?.throwIfAborted()
  }
  return false
}
