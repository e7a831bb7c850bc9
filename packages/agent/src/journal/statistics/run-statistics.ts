import type { JournalRecord } from '../journal.ts'
import { type Fields, fieldsOf, FROM_OUTSIDE, readRunFacts, shortText } from '../run-summary.ts'
import { OTHER } from './by-name.ts'
import { dayOf } from './day.ts'
import { type ReplyTally, type RunStatistics, StatisticsTally, sumUsage } from './statistics.ts'

/** Which records are counted. */
interface RunStatisticsOptions {
  /** Only what happened at or after this time, in milliseconds since 1970. */
  readonly since?: number
}

/**
 * Counts what happened in a run, each thing on its own day. Turns that a fork copied are not counted: they belong to its
 * source. The records may contain anything.
 */
export function runStatistics(
  records: Iterable<JournalRecord>,
  { since = -Infinity }: RunStatisticsOptions = {},
): RunStatistics {
  const run: CountedRun = {
    tally: new StatisticsTally(),
    model: 'unknown',
    protocol: 'unknown',
    ownTurns: 0,
    isFork: false,
    calls: new Map(),
    answers: new Map(),
  }
  let began: number | undefined
  let isCounted = false
  let end: string | undefined
  for (const record of records) {
    const { key, kind } = record
    const step = stepOf(key)
    if (!FROM_OUTSIDE.includes(kind) && step?.type !== 'end') end = undefined
    if (!step) continue
    const { value } = record
    if (step.type === 'setup' && kind === 'value') readSetup(run, key, value)
    if (isCopied(run, key, step)) continue
    began ??= record.time
    if (record.time < since) continue
    isCounted = true
    if (step.type === 'end' && kind === 'value') end = readRunFacts({ key, kind, value }).reason
    else count(run, step, { key, kind, value, time: record.time })
  }
  const { tally, answers } = run
  for (const answer of answers.values()) countAnswer(tally, answer)
  if (isCounted) {
    tally.runs = 1
    tally.ends.add(end ?? 'unfinished')
  }
  if (began !== undefined && began >= since) tally.days.of(dayOf(began)).runs = 1
  return tally.result()
}

interface CountedRun {
  readonly tally: StatisticsTally
  /** As the latest setup says. */
  model: string
  protocol: string
  /** The first turn that was not copied. */
  ownTurns: number
  isFork: boolean
  /** The names of the calls that have no outcome yet, by the key of that. */
  readonly calls: Map<string, string>
  /** The answers of people by key. Version 0.1 did not record that the run read them. */
  readonly answers: Map<string, unknown>
}

/** What a record is about. */
interface Step {
  readonly type: 'setup' | 'turn' | 'summary' | 'call' | 'approval' | 'end'
  /** The turn that it belongs to. */
  readonly turn?: number
}

function stepOf(key: string): Step | undefined {
  const [first, number = '', third, fourth, fifth, , ...more] = key.split('/', MAX_PARTS)
  if (more.length > 0) return undefined
  if (first === 'run' || first === 'resume') return { type: 'setup' }
  if (first === 'end') return { type: 'end' }
  if (!/^\d+$/.test(number)) return undefined
  // A last turn without tools is never copied.
  const turn = first === 'final' ? Infinity : Number(number)
  if (first === 'compact') return key.endsWith('/summary') ? { type: 'summary', turn } : undefined
  if (first !== 'turn' && first !== 'final') return undefined
  if (third === undefined) return { type: 'turn', turn }
  if (third !== 'call' || fourth === undefined) return undefined
  if (fifth === undefined) return { type: 'call', turn }
  return fifth === 'approval' ? { type: 'approval', turn } : undefined
}

const MAX_PARTS = 8

function readSetup(run: CountedRun, key: string, value: unknown): void {
  const { model, protocol } = fieldsOf(value)
  run.model = shortText(model) || run.model
  run.protocol = shortText(protocol) || run.protocol
  const forkOf = key === 'run' ? readRunFacts({ key, kind: 'value', value }).forkOf : undefined
  if (forkOf) Object.assign(run, { isFork: true, ownTurns: forkOf.turn })
}

function isCopied({ isFork, ownTurns }: CountedRun, key: string, { turn }: Step): boolean {
  return isFork && (turn === undefined ? key === 'run' : turn < ownTurns)
}

function count(run: CountedRun, { type }: Step, record: JournalRecord): void {
  const { tally, answers } = run
  const { key, kind, value, time } = record
  if (type === 'approval') {
    if (kind === 'wait') tally.approvals.asked++
    else if (kind === 'value' || !answers.has(key)) answers.set(key, value)
  }
  if (kind !== 'value') return
  if (type === 'turn') countTurn(run, key, fieldsOf(value), time)
  if (type === 'turn' || type === 'summary') countUsage(run, record)
  if (type === 'call') countOutcome(run, key, fieldsOf(value), time)
}

function countTurn(run: CountedRun, key: string, turn: Fields, time: number): void {
  const { tally, calls } = run
  const segments = Array.isArray(turn['segments']) ? turn['segments'].map(fieldsOf) : []
  const made = segments.filter(({ type }) => type === 'call').map(({ call }) => fieldsOf(call))
  for (const [at, call] of made.entries()) {
    const name = shortText(call['name']) || OTHER
    calls.set(`${key}/call/${at}`, name)
    tally.tools.of(name).calls++
  }
  for (const replies of repliesOf(run)) {
    replies.turns++
    replies.firstToken.addOne(turn['firstToken'])
    replies.duration.addOne(turn['duration'])
    replies.calls += made.length
    replies.malformed += segments.filter(({ type }) => type === 'malformed').length
    for (const { repairs } of made) countRepairs(replies, repairs)
  }
  const day = tally.days.of(dayOf(time))
  day.turns++
  day.calls += made.length
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
  // Version 0.1 did not record when a tool began; one that was denied did not.
  if (started !== null && status !== 'denied') tool.duration.addOne(duration)
  if (status === 'success') tool.succeeded++
  else if (status === 'denied') tool.denied++
  else if (status === 'error' || status === 'timeout') {
    tool.failed++
    tool.errors.add(shortText(fieldsOf(failure)['error_type']) || OTHER)
    tally.days.of(dayOf(time)).errors++
  }
}

function countAnswer({ approvals }: StatisticsTally, answer: unknown): void {
  const { verdict } = fieldsOf(answer)
  if (verdict === 'allow') approvals.allowed++
  if (verdict === 'deny') approvals.denied++
}

/** The figures that a reply counts for. */
function repliesOf({ tally, model, protocol }: CountedRun): readonly ReplyTally[] {
  return [tally.models.of(model), tally.protocols.of(protocol)]
}
