import type { UserMessage } from '../../context/message.ts'
import type { JournalRecord } from '../../journal/journal.ts'
import {
  type InTurn,
  parseKey,
  printKey,
  type RecordKey,
  type TurnKey,
} from '../../journal/keys.ts'
import { countImages, textOf } from '../../model/content.ts'
import type { Compaction } from '../loop/keep-in-context.ts'
import type { RecordedApproval } from '../approval/approve-call.ts'
import { requestEvent, type WaitRequest } from '../approval/ask-person.ts'
import type { RunCall, RunEvent, RunEventBody } from '../event.ts'
import { type NotRun, NEVER_BEGAN, type ToolOutcome } from '../calls/tool-outcome.ts'
import { callsOf, type PromptedTurn, type Turn } from '../turn/recorded-turn.ts'
import type { LateOutcome, RecordedEnd, RunInput, RunSetup } from './history.ts'
import type { Answers } from '../../tool/question.ts'

/** Turns the records of a run, one after the other, into its recorded events. */
export interface EventReader {
  /** The number of the last event; -1 before the first. */
  readonly seq: number
  /** The events of the next record. */
  read(record: JournalRecord): RunEvent[]
  /** Its events without those that the process that executes the run has shown as transient ones. They are counted all the same. */
  readUnshown(record: JournalRecord): RunEvent[]
}

/**
 * Creates a reader for the records of a run. What comes from outside the run, answers and messages, is an event only once
 * the run has recorded that it read it: so the events depend on what the run itself recorded, in that order.
 */
export function createEventReader(run: string): EventReader {
  const calls: Calls = { byKey: new Map(), begun: new Set() }
  let seq = -1
  const numbered = (time: number, bodies: Iterable<TimedEvent>): RunEvent[] =>
    Array.from(bodies, (body) => ({ time, ...body, run, seq: ++seq }))
  return {
    get seq() {
      return seq
    },
    read(record) {
      const step = parseKey(record.key)
      if (!step) return []
      const shown = numbered(record.time, shownOf(step, record, calls))
      return [...shown, ...numbered(record.time, unshownOf(run, step, record, calls))]
    },
    readUnshown(record) {
      const step = parseKey(record.key)
      if (!step) return []
      for (const _ of shownOf(step, record, calls)) seq++
      return numbered(record.time, unshownOf(run, step, record, calls))
    },
  }
}

/** An event, and when it happened, if not when it was recorded. */
type TimedEvent = RunEventBody & { readonly time?: number }

interface Calls {
  /** By the printed key of their outcome. */
  readonly byKey: Map<string, RunCall>
  /** The printed keys of the calls that have begun. */
  readonly begun: Set<string>
}

/** The first events of a record: whoever executes the run shows them while they happen, before there is a record. */
function* shownOf(step: RecordKey, record: JournalRecord, calls: Calls): Generator<TimedEvent> {
  if (record.kind !== 'value') return
  const { key, value } = record
  if (step.type === 'resume' || (step.type === 'setup' && step.number > 0))
    yield startEvent(value as RunSetup, true)
  else if (step.type === 'turn') yield* turnOf(value as Turn, step, record, calls)
  else if (step.type === 'call') {
    const call = calls.byKey.get(key)
    const { started, ...outcome } = value as ToolOutcome
    if (call && started !== null && !calls.begun.has(key))
      yield { ...toolStart(call, outcome), time: started }
  }
}

/** The other events of a record. */
function* unshownOf(
  run: string,
  step: RecordKey,
  { key, kind, value }: JournalRecord,
  calls: Calls,
): Generator<TimedEvent> {
  if (kind === 'wait') return yield requestEvent(key, value as WaitRequest)
  if (kind === 'begin') return yield* beginOf(step, key, value, calls)
  if (kind !== 'value') return
  switch (step.type) {
    case 'setup':
    case 'resume':
      return yield* startOf(value as RunSetup, step)
    case 'input':
      return yield promptOf((value as RunInput).message)
    case 'late': {
      const { call, name, outcome } = value as LateOutcome
      return yield { type: 'tool-late', call, name, outcome }
    }
    case 'end':
      return yield* endOf(value as RecordedEnd, calls)
    case 'compaction':
      return yield* compactionOf(value as Compaction)
    case 'turn':
      return yield turnEnd(value as Turn, step)
    case 'not-run':
      return yield* notRunOf(step, value as NotRun, calls)
    case 'call':
      return yield* outcomeOf(key, value as ToolOutcome, calls)
    case 'approval':
      return yield* approvalOf(run, key, value as RecordedApproval)
    case 'question':
    case 'changed': {
      const { call = '', answers } = value as { readonly call?: string; readonly answers: Answers }
      return yield { type: 'answer', key, call, answers }
    }
    default:
  }
}

function* startOf(setup: RunSetup, step: RecordKey): Generator<TimedEvent> {
  const { warnings = [], messages } = setup
  const isFirst = step.type === 'setup' && step.number === 0
  if (isFirst) yield startEvent(setup, false)
  for (const message of warnings) yield { type: 'warning', code: 'configuration', message }
  if (isFirst) for (const message of messages) if (message.role === 'user') yield promptOf(message)
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
  step: TurnKey,
  { time }: Pick<JournalRecord, 'time'>,
  calls: Calls,
): Generator<TimedEvent> {
  for (const [at, call] of callsOf(turn).entries())
    calls.byKey.set(printKey({ ...step, type: 'call', call: at }), call)
  const { duration } = turn
  const number = numberOf(step)
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
}

function turnEnd({ usage, firstToken, duration }: Turn, step: TurnKey): TimedEvent {
  return {
    type: 'turn-end',
    turn: numberOf(step),
    usage,
    ...(firstToken !== undefined && { firstToken }),
    ...(duration !== undefined && { duration }),
  }
}

/** The number of a turn in events: a last turn without tools is -1. */
function numberOf({ turn, final }: TurnKey): number {
  return final ? -1 : turn
}

function* beginOf(
  step: RecordKey,
  key: string,
  value: unknown,
  calls: Calls,
): Generator<TimedEvent> {
  if (step.type !== 'call' && step.type !== 'again') return
  const call = calls.byKey.get(printKey({ ...step, type: 'call' }))
  if (!call) return
  if (step.type === 'again')
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
  turn: RecordKey & InTurn,
  { from, ...outcome }: NotRun,
  calls: Calls,
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
    approval: { run, call, hash, verdict, ...(reason !== undefined && { reason }) },
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
