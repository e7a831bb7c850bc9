import type { UserMessage } from '../../context/message.ts'
import type { JournalRecord } from '../../journal/journal.ts'
import {
  type InTurn,
  parseKey,
  printKey,
  type RecordKey,
  type TurnKey,
} from '../../journal/keys.ts'
import { countImages, textOf } from '../../model/chat-message.ts'
import type { Answers } from '../../tool/question.ts'
import type { RecordedApproval } from '../approval/approve-call.ts'
import type { WaitRequest } from '../approval/ask-person.ts'
import { NEVER_BEGAN, type NotRun, type ToolOutcome } from '../calls/tool-outcome.ts'
import {
  promptChanged,
  requestEvent,
  type RunCall,
  type RunEvent,
  type RunEventBody,
  runStart,
  toolStart,
  turnNumber,
  turnStart,
} from '../event.ts'
import type { Compaction } from '../turn/keep-in-context.ts'
import { callsOf, type PromptedTurn, type Turn } from '../turn/recorded-turn.ts'
import type { LateOutcome, RecordedEnd, RunInput, RunSetup } from './history.ts'

/** Converts the records of a run, one by one, to its recorded events. */
export interface RecordReader {
  /** The number of the last event, or -1 before the first one. */
  readonly seq: number
  /** Returns the events of the next record. */
  read(record: JournalRecord): RunEvent[]
  /**
   * Like `read`, but for the process that executes the run: omits events already emitted as
   * previews, although they are counted.
   */
  readLive(record: JournalRecord): RunEvent[]
}

/**
 * Creates a reader for the records of a run. Answers and messages from outside become events when
 * the run records that it has read them, so the events follow the order of the run's own records.
 */
export function createRecordReader(run: string): RecordReader {
  const calls: OpenCalls = { byKey: new Map(), begun: new Set() }
  let seq = -1
  const read = (record: JournalRecord, skipsPreviews: boolean): RunEvent[] => {
    const step = parseKey(record.key)
    if (!step) return []
    const { previewed = [], others = [] } = eventsOf(run, step, record, calls)
    const events: RunEvent[] = []
    const add = (body: TimedEvent): void => {
      events.push({ time: record.time, ...body, run, seq: ++seq })
    }
    if (skipsPreviews) for (const _ of previewed) seq++
    else for (const body of previewed) add(body)
    for (const body of others) add(body)
    return events
  }
  return {
    get seq() {
      return seq
    },
    read: (record) => read(record, false),
    readLive: (record) => read(record, true),
  }
}

/** An event, with its time if that differs from the time of the record. */
type TimedEvent = RunEventBody & { readonly time?: number }

/** The events of a record, in order. */
interface RecordEvents {
  /** Events that the process executing the run previews before there is a record. */
  readonly previewed?: Iterable<TimedEvent>
  /** Events that exist only once there is a record. */
  readonly others?: Iterable<TimedEvent>
}

/** The calls without an outcome. */
interface OpenCalls {
  /** Calls by the printed key of their outcome. */
  readonly byKey: Map<string, RunCall>
  /** The printed keys of the calls that have started. */
  readonly begun: Set<string>
}

function eventsOf(
  run: string,
  step: RecordKey,
  record: JournalRecord,
  calls: OpenCalls,
): RecordEvents {
  const { key, kind, value } = record
  if (kind === 'wait') return { others: [requestEvent(key, value as WaitRequest)] }
  if (kind === 'begin') return { others: beginOf(step, key, value, calls) }
  if (kind !== 'value') return {}
  switch (step.type) {
    case 'setup':
    case 'resume': {
      const setup = value as RunSetup
      if (step.type === 'setup' && step.number === 0) return { others: beginningOf(setup) }
      return { previewed: [runStart(setup, true)], others: warningsOf(setup) }
    }
    case 'input':
      return { others: [promptOf((value as RunInput).message)] }
    case 'late': {
      const { call, name, outcome } = value as LateOutcome
      return { others: [{ type: 'tool-late', call, name, outcome }] }
    }
    case 'end':
      return { others: endOf(value as RecordedEnd, calls) }
    case 'compaction':
      return { others: compactionOf(value as Compaction) }
    case 'turn':
      for (const [at, call] of callsOf(value as Turn).entries())
        calls.byKey.set(printKey({ ...step, type: 'call', call: at }), call)
      return {
        previewed: replyOf(value as Turn, step, record),
        others: [turnEnd(value as Turn, step)],
      }
    case 'not-run':
      return { others: notRunOf(step, value as NotRun, calls) }
    case 'call':
      return outcomeOf(key, value as ToolOutcome, calls)
    case 'approval':
      return { others: approvalOf(run, key, value as RecordedApproval) }
    case 'question':
    case 'changed': {
      const { call = '', answers } = value as { readonly call?: string; readonly answers: Answers }
      return { others: [{ type: 'answer', key, call, answers }] }
    }
    default:
      return {}
  }
}

function* beginningOf(setup: RunSetup): Generator<TimedEvent> {
  yield runStart(setup, false)
  yield* warningsOf(setup)
  for (const message of setup.messages) if (message.role === 'user') yield promptOf(message)
}

function* warningsOf({ warnings = [] }: RunSetup): Generator<TimedEvent> {
  for (const message of warnings) yield { type: 'warning', code: 'configuration', message }
}

function promptOf({ content }: UserMessage): RunEventBody {
  const images = countImages(content)
  return { type: 'prompt', content: textOf(content), ...(images > 0 && { images }) }
}

/** The events of a turn up to its end. Each text is a single event. */
function* replyOf(
  turn: Turn & Partial<Pick<PromptedTurn, 'prompt'>>,
  step: TurnKey,
  { time }: Pick<JournalRecord, 'time'>,
): Generator<TimedEvent> {
  const { duration, prompt, warnings = [], thoughts, segments, content } = turn
  yield { ...turnStart(step), ...(duration !== undefined && { time: time - duration }) }
  if (prompt?.changed) yield promptChanged(step, prompt.changed)
  for (const warning of warnings) yield { type: 'warning', ...warning }
  if (thoughts !== undefined) yield { type: 'reasoning', delta: thoughts, at: 0 }
  let index = 0
  for (const segment of segments) {
    const [at, to] = segment.span
    const delta = content.slice(at, to)
    if (segment.type === 'text' || segment.type === 'reasoning')
      yield { type: segment.type, delta, at }
    else if (segment.type === 'malformed' || segment.type === 'result') yield segment
    else if (segment.type === 'call') {
      const { call } = segment
      yield { type: 'call-start', index, id: call.id, name: call.name }
      yield { type: 'call-end', index: index++, call }
    }
  }
}

function turnEnd({ usage, firstToken, duration }: Turn, step: TurnKey): TimedEvent {
  return {
    type: 'turn-end',
    turn: turnNumber(step),
    usage,
    firstToken,
    duration,
  }
}

function* beginOf(
  step: RecordKey,
  key: string,
  value: unknown,
  calls: OpenCalls,
): Generator<TimedEvent> {
  if (step.type !== 'call' && step.type !== 'again') return
  const call = calls.byKey.get(printKey({ ...step, type: 'call' }))
  if (!call) return
  if (step.type === 'again')
    return yield {
      type: 'warning',
      code: 'run_again',
      message: `${call.name} was not done when the run was interrupted, so it will run again.`,
    }
  calls.begun.add(key)
  yield toolStart(call, (value as Pick<ToolOutcome, 'args'>).args)
}

function outcomeOf(key: string, outcome: ToolOutcome, calls: OpenCalls): RecordEvents {
  const call = calls.byKey.get(key)
  if (!call) return {}
  const { started, args, todos } = outcome
  const hasStarted = started === null || calls.begun.has(key)
  calls.byKey.delete(key)
  calls.begun.delete(key)
  return {
    previewed: hasStarted ? [] : [{ ...toolStart(call, args), time: started }],
    others: [...(todos ? [{ type: 'todo' as const, todos }] : []), ...toolEnd(call, outcome)],
  }
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
  turn: RecordKey & InTurn,
  { from, ...outcome }: NotRun,
  calls: OpenCalls,
): Generator<TimedEvent> {
  for (let at = from; ; at++) {
    const call = calls.byKey.get(printKey({ ...turn, type: 'call', call: at }))
    if (!call) return
    yield* toolEnd(call, { ...outcome, ...NEVER_BEGAN })
  }
}

function* approvalOf(
  run: string,
  key: string,
  { call, hash, always, rules, allowedBy, network, problem, verdict, reason }: RecordedApproval,
): Generator<TimedEvent> {
  yield {
    type: 'approval',
    key,
    approval: { run, call, hash, verdict, reason },
    always,
    rules,
    allowedBy,
    network,
  }
  if (problem !== undefined)
    yield {
      type: 'warning',
      code: 'not_remembered',
      message: `The permission is valid for this run only, because it could not be stored: ${problem}.`,
    }
}

function* compactionOf({ before, after, problem }: Compaction): Generator<TimedEvent> {
  if (after < before) yield { type: 'compacted', before, after }
  if (problem !== undefined) yield { type: 'warning', code: 'no_summary', message: problem }
}

function* endOf({ cancelled = [], ...end }: RecordedEnd, calls: OpenCalls): Generator<TimedEvent> {
  for (const key of cancelled) {
    const call = calls.byKey.get(key)
    if (!call) continue
    const hasBegun = calls.begun.has(key)
    yield* toolEnd(call, {
      status: hasBegun ? 'unknown' : 'cancelled',
      text: `${call.name} ${hasBegun ? 'had started when' : 'was not run:'} the run ended.`,
      ...NEVER_BEGAN,
      // Calls record their start only if they may change something.
      ...(hasBegun && { mayHaveChanged: true as const }),
    })
  }
  yield { type: 'run-end', ...end }
}
