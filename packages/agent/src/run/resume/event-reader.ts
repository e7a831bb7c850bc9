import type { UserMessage } from '../../context/message.ts'
import type { JournalRecord } from '../../journal/journal.ts'
import { countImages, textOf } from '../../model/content.ts'
import type { Compaction } from '../loop/keep-in-context.ts'
import type { RecordedApproval } from '../approval/ask-person.ts'
import { requestEvent, type WaitRequest } from '../approval/wait-request.ts'
import type { RunCall, RunEvent, RunEventBody } from '../event.ts'
import type { NotRun } from '../calls/not-run.ts'
import { NEVER_BEGAN, type ToolOutcome } from '../calls/tool-outcome.ts'
import { callsOf, type PromptedTurn, type Turn } from '../turn/recorded-turn.ts'
import type { LateOutcome, RecordedEnd, RunInput, RunSetup } from './history.ts'
import type { Answers } from '../../tool/question.ts'

/** Turns the records of a run, one after the other, into its recorded events. */
export interface EventReader {
  /** The number of the last event; -1 before the first. */
  readonly seq: number
  /** The events of the next record, without those that are not wanted. They are counted all the same. */
  read(record: JournalRecord, isWanted?: (type: RunEvent['type']) => boolean): RunEvent[]
}

/**
 * Creates a reader for the records of a run. What comes from outside the run, answers and messages, is an event only once
 * the run has recorded that it read it: so the events depend on what the run itself recorded, in that order.
 */
export function createEventReader(run: string): EventReader {
  const calls: Calls = {
    byKey: new Map(),
    begun: new Set(),
  }
  let seq = -1
  return {
    get seq() {
      return seq
    },
    read(record, isWanted) {
      const events: RunEvent[] = []
      for (const body of eventsOf(run, record, calls)) {
        seq++
        if (!isWanted || isWanted(body.type)) events.push({ time: record.time, ...body, run, seq })
      }
      return events
    },
  }
}

/** An event, and when it happened, if not when it was recorded. */
type TimedEvent = RunEventBody & { readonly time?: number }

interface Calls {
  /** By the key of their outcome. */
  readonly byKey: Map<string, RunCall>
  /** The keys of the calls that have begun. */
  readonly begun: Set<string>
}

function* eventsOf(run: string, record: JournalRecord, calls: Calls): Generator<TimedEvent> {
  const { key, kind, value } = record
  if (kind === 'begin') yield* beginOf(key, value, calls)
  else if (kind === 'wait') yield requestEvent(key, value as WaitRequest)
  else if (kind === 'value') yield* valueOf(run, record, calls)
}

function* valueOf(run: string, record: JournalRecord, calls: Calls): Generator<TimedEvent> {
  const { key, value } = record
  const [first = '', number = '', third, fourth, fifth] = key.split('/')
  if (first === 'run') yield* startOf(value as RunSetup, number !== '')
  else if (first === 'resume') yield* startOf(value as RunSetup, true)
  else if (first === 'input') yield promptOf((value as RunInput).message)
  else if (first === 'late') {
    const { call, name, outcome } = value as LateOutcome
    yield { type: 'tool-late', call, name, outcome }
  } else if (first === 'changed') {
    const { answers } = value as { readonly answers: Answers }
    yield { type: 'answer', key, call: '', answers }
  } else if (first === 'end') yield* endOf(value as RecordedEnd, calls)
  else if (first === 'compact' && third !== 'summary' && fourth === undefined)
    yield* compactionOf(value as Compaction)
  else if (first !== 'turn' && first !== 'final') return
  else if (third === undefined)
    yield* turnOf(value as PromptedTurn, first === 'turn' ? Number(number) : -1, record, calls)
  else if (third === 'not-run') yield* notRunOf(`${first}/${number}`, value as NotRun, calls)
  else if (fifth === undefined) yield* outcomeOf(key, value as ToolOutcome, calls)
  else if (fifth === 'approval') {
    const { call, hash, always, rules, allowedBy, network, problem, verdict, reason } =
      value as RecordedApproval
    const approval = { run, call, hash, verdict, ...(reason !== undefined && { reason }) }
    yield {
      type: 'approval',
      key,
      approval,
      ...(always && { always }),
      ...(rules && { rules }),
      ...(allowedBy && { allowedBy }),
      ...(network && { network }),
    }
    if (problem !== undefined)
      yield {
        type: 'warning',
        code: 'not_remembered',
        message: `What was allowed holds for this run only: ${problem}.`,
      }
  } else if (fifth === 'question') {
    const { call, answers } = value as { readonly call: string; readonly answers: Answers }
    yield { type: 'answer', key, call, answers }
  }
}

function* startOf(setup: RunSetup, isResumed: boolean): Generator<TimedEvent> {
  const { warnings = [], messages } = setup
  yield startEvent(setup, isResumed)
  for (const message of warnings) yield { type: 'warning', code: 'configuration', message }
  if (isResumed) return
  for (const message of messages) if (message.role === 'user') yield promptOf(message)
}

function promptOf({ content }: UserMessage): RunEventBody {
  const images = countImages(content)
  return { type: 'prompt', content: textOf(content), ...(images > 0 && { images }) }
}

/** The event that a run starts with. */
export function startEvent(setup: RunSetup, isResumed: boolean): RunEventBody {
  const {
    protocol,
    cwd,
    tools: _tools,
    messages: _messages,
    untrusted: _,
    warnings: __,
    trace: ___,
    ...facts
  } = setup
  return {
    type: 'run-start',
    ...facts,
    ...(cwd !== undefined && { folder: cwd }),
    protocol: protocol === 'native' ? undefined : protocol,
    resumed: isResumed,
  }
}

function* turnOf(
  turn: Turn & Partial<Pick<PromptedTurn, 'prompt'>>,
  number: number,
  { key, time }: Pick<JournalRecord, 'key' | 'time'>,
  calls: Calls,
): Generator<TimedEvent> {
  for (const [at, call] of callsOf(turn).entries()) calls.byKey.set(`${key}/call/${at}`, call)
  const { usage, firstToken, duration } = turn
  yield {
    type: 'turn-start',
    turn: number,
    ...(duration !== undefined && { time: time - duration }),
  }
  if (turn.prompt?.changed)
    yield { type: 'prompt-changed', turn: number, cause: turn.prompt.changed }
  for (const warning of turn.warnings ?? []) yield { type: 'warning', ...warning }
  if (turn.thoughts !== undefined) yield { type: 'reasoning', delta: turn.thoughts, at: 0 }
  let index = 0
  for (const segment of turn.segments) {
    const [at, to] = segment.span
    const delta = turn.content.slice(at, to)
    if (segment.type === 'text' || segment.type === 'reasoning')
      yield { type: segment.type, delta, at }
    else if (segment.type === 'malformed' || segment.type === 'result') yield segment
    else if (segment.type === 'call') {
      const { call } = segment
      yield { type: 'call-start', index, id: call.id, name: call.name }
      yield { type: 'call-end', index: index++, call }
    }
  }
  yield {
    type: 'turn-end',
    turn: number,
    usage,
    ...(firstToken !== undefined && { firstToken }),
    ...(duration !== undefined && { duration }),
  }
}

function* beginOf(key: string, value: unknown, calls: Calls): Generator<TimedEvent> {
  const [first, turn, third, at, again] = key.split('/')
  const call = calls.byKey.get(`${first}/${turn}/${third}/${at}`)
  if (!call) return
  if (again !== undefined)
    return yield {
      type: 'warning',
      code: 'run_again',
      message: `${call.name} was not done when the run was interrupted, so it is run again.`,
    }
  calls.begun.add(key)
  yield toolStart(call, value as Pick<ToolOutcome, 'args'>)
}

function* outcomeOf(key: string, outcome: ToolOutcome, calls: Calls): Generator<TimedEvent> {
  const call = calls.byKey.get(key)
  if (!call) return
  const { started } = outcome
  if (started !== null && !calls.begun.has(key))
    yield { ...toolStart(call, outcome), time: started }
  if (outcome.todos) yield { type: 'todo', todos: outcome.todos }
  yield* toolEnd(call, outcome)
  calls.byKey.delete(key)
  calls.begun.delete(key)
}

function toolStart(
  { id, name, args: written }: RunCall,
  { args = written }: Pick<ToolOutcome, 'args'>,
) {
  return { type: 'tool-start', call: id, name, args } as const
}

function* toolEnd({ id: call, name }: RunCall, outcome: ToolOutcome): Generator<TimedEvent> {
  const { status, repeats } = outcome
  if (repeats !== undefined)
    yield {
      type: 'duplicate',
      call,
      name,
      of: repeats,
      on: status === 'success' ? 'reuse' : 'warn',
    }
  if (outcome.mayHaveChanged) yield { type: 'warning', code: 'interrupted', message: outcome.text }
  yield { type: 'tool-end', call, name, outcome }
}

function* notRunOf(
  turn: string,
  { from, ...outcome }: NotRun,
  calls: Calls,
): Generator<TimedEvent> {
  for (let at = from; ; at++) {
    const call = calls.byKey.get(`${turn}/call/${at}`)
    if (!call) return
    yield* toolEnd(call, { ...outcome, ...NEVER_BEGAN })
  }
}

function* compactionOf({ before, after, problem }: Compaction): Generator<TimedEvent> {
  if (after < before) yield { type: 'compacted', before, after }
  if (problem !== undefined) yield { type: 'warning', code: 'no_summary', message: problem }
}

function* endOf({ cancelled = [], ...end }: RecordedEnd, calls: Calls): Generator<TimedEvent> {
  for (const key of cancelled) {
    const call = calls.byKey.get(key)
    if (!call) continue
    const hasBegun = calls.begun.has(key)
    yield* toolEnd(call, {
      status: hasBegun ? 'unknown' : 'cancelled',
      text: `${call.name} ${hasBegun ? 'had begun when' : 'was not run:'} the run ended.`,
      ...NEVER_BEGAN,
      // Only a call that may change something records that it begins.
      ...(hasBegun && { mayHaveChanged: true as const }),
    })
  }
  yield { type: 'run-end', ...end }
}
