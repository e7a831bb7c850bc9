import type { JournalRecord } from '../journal.ts'
import { parseKey, printKey, type RecordKey, type TurnKey } from '../keys.ts'
import { type Fields, fieldsOf, FROM_OUTSIDE, readRunFacts, shortText } from '../run-summary.ts'
import { OTHER, dayOf, timeOf } from './tallies.ts'
import { type ReplyTally, type RunStatistics, StatisticsTally, sumUsage } from './statistics.ts'

/** The models, protocols and tools to count, by name. Default: all. */
export interface StatisticsFilter {
  /**
   * Count only calls of this tool, and replies that contain one. Calls that could not be parsed are
   * not attributed to any tool.
   */
  readonly tool?: string
  readonly model?: string
  readonly protocol?: string
}

/** Filters for the records to count. */
interface RunStatisticsOptions {
  readonly only?: StatisticsFilter | undefined
  /** Only count events at or after this time, in milliseconds since 1970. */
  readonly since?: number | undefined
}

/**
 * Counts the events in a run, grouped by the day they occurred. Turns copied by a fork are not
 * counted again, because they belong to its source. Records may contain any value.
 */
export function runStatistics(
  records: Iterable<JournalRecord>,
  { since = -Infinity, only = {} }: RunStatisticsOptions = {},
): RunStatistics {
  const run: CountedRun = {
    tally: new StatisticsTally(),
    model: 'unknown',
    protocol: 'unknown',
    ownTurns: 0,
    isFork: false,
    only,
    isCounted: false,
    calls: new Map(),
    answers: new Map(),
    waits: new Map(),
    used: new Set(),
  }
  let began: number | undefined
  let end: string | undefined
  for (const record of records) {
    const { key, kind } = record
    const step = parseKey(key)
    if (!FROM_OUTSIDE.includes(kind) && step?.type !== 'end') end = undefined
    if (!step || !COUNTED.has(step.type)) continue
    const { value } = record
    if (step.type === 'setup' || step.type === 'resume') {
      if (kind === 'value') readSetup(run, step, value)
    }
    if (isCopied(run, step)) continue
    began ??= record.time
    if (record.time < since) continue
    if (isOfModel(run)) run.isCounted ||= only.tool === undefined
    if (step.type === 'end' && kind === 'value') end = readRunFacts({ key, kind, value }).reason
    else if (isOfModel(run)) count(run, step, { key, kind, value, time: record.time })
  }
  const { tally, answers, isCounted, used } = run
  for (const answer of answers.values()) countAnswer(tally, answer)
  if (isCounted) {
    tally.runs = 1
    tally.ends.add(end ?? 'unfinished')
  }
  for (const replies of used) replies.runs = 1
  if (isCounted && began !== undefined && began >= since) tally.days.of(dayOf(began)).runs = 1
  return tally.result()
}

interface CountedRun {
  readonly tally: StatisticsTally
  /** The model in the latest setup. */
  model: string
  protocol: string
  /** The first turn that was not copied. */
  ownTurns: number
  isFork: boolean
  readonly only: StatisticsFilter
  /** True if at least one record has been counted. */
  isCounted: boolean
  /** The tool names of unfinished calls, by the key of their outcome. */
  readonly calls: Map<string, string>
  /** The answers given by people, by key, including those that the run has not read yet. */
  readonly answers: Map<string, unknown>
  /** The times of requests to people, by key. */
  readonly waits: Map<string, number>
  /** The models and protocols used by the run. */
  readonly used: Set<ReplyTally>
}

function readSetup(run: CountedRun, step: RecordKey, value: unknown): void {
  const { model, protocol } = fieldsOf(value)
  run.model = shortText(model) || run.model
  run.protocol = shortText(protocol) || run.protocol
  if (!isFirstSetup(step)) return
  const { forkOf } = readRunFacts({ key: printKey(step), kind: 'value', value })
  if (forkOf) Object.assign(run, { isFork: true, ownTurns: forkOf.turn })
}

/** The types of records to count. */
const COUNTED: ReadonlySet<RecordKey['type']> = new Set([
  'setup',
  'resume',
  'turn',
  'summary',
  'call',
  'approval',
  'question',
  'end',
])

/** True if a fork copied the step. A last turn without tools is never copied. */
function isCopied({ isFork, ownTurns }: CountedRun, step: RecordKey): boolean {
  if (!isFork) return false
  if ('turn' in step) return !step.final && step.turn < ownTurns
  return isFirstSetup(step)
}

function isFirstSetup(step: RecordKey): boolean {
  return step.type === 'setup' && step.number === 0
}

function count(run: CountedRun, step: RecordKey, record: JournalRecord): void {
  const { tally, answers } = run
  const { key, kind, value, time } = record
  if (step.type === 'approval' || step.type === 'question') {
    if (!isOfTool(run, run.calls.get(printKey({ ...step, type: 'call' })))) return
    countWait(run, record)
  }
  if (step.type === 'approval') {
    if (kind === 'wait') tally.approvals.asked++
    else if (kind === 'value' || !answers.has(key)) answers.set(key, value)
  }
  if (kind !== 'value') return
  if (step.type === 'turn') countTurn(run, step, fieldsOf(value), time)
  if (step.type === 'summary' && run.only.tool === undefined) countUsage(run, record)
  if (step.type === 'call') countOutcome(run, key, fieldsOf(value), time)
}

function countTurn(run: CountedRun, key: TurnKey, turn: Fields, time: number): void {
  const { tally, calls } = run
  const segments = Array.isArray(turn['segments']) ? turn['segments'].map(fieldsOf) : []
  const all = segments.filter(({ type }) => type === 'call').map(({ call }) => fieldsOf(call))
  const made: Fields[] = []
  for (const [at, call] of all.entries()) {
    const name = shortText(call['name']) || OTHER
    if (!isOfTool(run, name)) continue
    made.push(call)
    calls.set(printKey({ ...key, type: 'call', call: at }), name)
    tally.tools.of(name).calls++
  }
  if (run.only.tool !== undefined && made.length === 0) return
  run.isCounted = true
  for (const replies of repliesOf(run)) {
    replies.turns++
    replies.firstToken.addOne(turn['firstToken'])
    replies.duration.addOne(turn['duration'])
    replies.calls += made.length
    if (run.only.tool === undefined)
      replies.malformed += segments.filter(({ type }) => type === 'malformed').length
    run.used.add(replies)
    for (const { repairs } of made) countRepairs(replies, repairs)
  }
  const day = tally.days.of(dayOf(time))
  day.turns++
  day.calls += made.length
  countUsage(run, { key: printKey(key), kind: 'value', value: turn, time })
}

function countRepairs(replies: ReplyTally, repairs: unknown): void {
  if (!Array.isArray(repairs) || repairs.length === 0) return
  replies.repaired++
  const names = new Set(repairs.map((repair) => shortText(repair) || OTHER))
  for (const name of names) replies.repairs.add(name)
}

function countUsage(run: CountedRun, record: JournalRecord): void {
  const { usage } = readRunFacts(record)
  if (!usage) return
  for (const each of [...repliesOf(run), run.tally.days.of(dayOf(record.time))])
    each.usage = sumUsage(each.usage, usage)
}

function countOutcome(run: CountedRun, key: string, outcome: Fields, time: number): void {
  const { tally, calls } = run
  const name = calls.get(key)
  if (name === undefined) return
  calls.delete(key)
  const tool = tally.tools.of(name)
  const { status, started, duration, failure } = outcome
  const day = tally.days.of(dayOf(time))
  if (started !== null && status !== 'denied') {
    tool.duration.addOne(duration)
    tally.toolDuration.addOne(duration)
    for (const replies of repliesOf(run)) replies.toolTime += timeOf(duration)
  }
  if (status === 'success') {
    tool.succeeded++
    day.succeeded++
  } else if (status === 'denied') {
    tool.denied++
    day.denied++
  } else if (status === 'error' || status === 'timeout') {
    tool.failed++
    tool.errors.add(shortText(fieldsOf(failure)['error_type']) || OTHER)
    day.errors++
  }
}

function countAnswer({ approvals }: StatisticsTally, answer: unknown): void {
  const { verdict } = fieldsOf(answer)
  if (verdict === 'allow') approvals.allowed++
  if (verdict === 'deny') approvals.denied++
}

/** Counts the time that a person took to answer. */
function countWait(run: CountedRun, { key, kind, time }: JournalRecord): void {
  const { waits } = run
  if (kind === 'wait') waits.set(key, time)
  const since = waits.get(key)
  if (since === undefined || (kind !== 'answer' && kind !== 'value')) return
  waits.delete(key)
  for (const replies of repliesOf(run)) replies.waitTime += timeOf(time - since)
}

function isOfTool({ only: { tool } }: CountedRun, name: string | undefined): boolean {
  return tool === undefined || tool === name
}

/** True if the current model and protocol match the filter. */
function isOfModel({ only, model, protocol }: CountedRun): boolean {
  return (only.model ?? model) === model && (only.protocol ?? protocol) === protocol
}

/** The tallies that a reply counts toward. */
function repliesOf({ tally, model, protocol }: CountedRun): readonly ReplyTally[] {
  return [tally.models.of(model), tally.protocols.of(protocol)]
}
