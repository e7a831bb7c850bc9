import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import { ByName, CountTally, type NamedCount, type Durations, DurationTally } from './tallies.ts'

/**
 * Statistics of runs as plain data. Lists are sorted by name or day. After the first thousand names
 * (the first hundred in lists of counts), the rest are counted together as `other`.
 */
export interface RunStatistics {
  readonly runs: number
  /** The number of runs that ended for each reason. `unfinished`: not ended yet. */
  readonly ends: readonly NamedCount[]
  readonly approvals: ApprovalCounts
  /** The durations of all tool calls. */
  readonly toolDuration: Durations
  readonly tools: readonly ToolStatistics[]
  readonly models: readonly ReplyStatistics[]
  /** By the protocol that the model was prompted to use; `native` for native function calling. */
  readonly protocols: readonly ReplyStatistics[]
  readonly days: readonly DayStatistics[]
}

/** The number of approval requests, by answer. */
interface ApprovalCounts {
  readonly asked: number
  readonly allowed: number
  readonly denied: number
}

/** Statistics of a tool. */
interface ToolStatistics {
  /** The name as written by the model. */
  readonly name: string
  /** The number of calls. The counts below exclude calls that never ran or have not ended. */
  readonly calls: number
  readonly succeeded: number
  readonly failed: number
  readonly denied: number
  /** The number of failures by type of error. */
  readonly errors: readonly NamedCount[]
  /** The durations of its calls. */
  readonly duration: Durations
}

/** Statistics of the replies by one model or in one protocol. */
interface ReplyStatistics {
  readonly name: string
  /** The number of replies. Summaries of long histories are included only in the usage. */
  readonly turns: number
  readonly usage: Usage
  /** The times from the request to the first chunk of the reply. */
  readonly firstToken: Durations
  /** The durations of whole replies. */
  readonly duration: Durations
  readonly calls: number
  /** The number of calls that needed a repair. */
  readonly repaired: number
  /** The number of calls that needed each kind of repair. */
  readonly repairs: readonly NamedCount[]
  /** The number of calls that could not be read. */
  readonly malformed: number
  /** The number of runs that used it. */
  readonly runs: number
  /** The total duration of its tool calls, in milliseconds. */
  readonly toolTime: number
  /** The total time people took to answer its requests, in milliseconds. */
  readonly waitTime: number
}

/** Statistics of a day. */
interface DayStatistics {
  /** The day in UTC, such as `2026-01-31`. */
  readonly day: string
  /** The number of runs that started. */
  readonly runs: number
  readonly turns: number
  readonly calls: number
  readonly succeeded: number
  /** The number of failed calls. */
  readonly errors: number
  readonly denied: number
  readonly usage: Usage
}

/** Combines the statistics of several runs. */
export function addStatistics(all: Iterable<RunStatistics>): RunStatistics {
  const sum = new StatisticsTally()
  for (const each of all) sum.add(each)
  return sum.result()
}

/** Collects the statistics of runs. */
export class StatisticsTally {
  runs = 0
  readonly ends: CountTally = new CountTally()
  readonly approvals: Changeable<ApprovalCounts> = { asked: 0, allowed: 0, denied: 0 }
  readonly toolDuration: DurationTally = new DurationTally()
  readonly tools: ByName<ToolTally> = new ByName(createToolTally)
  readonly models: ByName<ReplyTally> = new ByName(createReplyTally)
  readonly protocols: ByName<ReplyTally> = new ByName(createReplyTally)
  readonly days: ByName<DayTally> = new ByName(createDayTally, MAX_DAYS)

  add(other: RunStatistics): void {
    this.runs += other.runs
    addCounts(this.ends, other.ends)
    for (const key of ['asked', 'allowed', 'denied'] as const)
      this.approvals[key] += other.approvals[key]
    this.toolDuration.add(other.toolDuration)
    for (const tool of other.tools) addTool(this.tools.of(tool.name), tool)
    for (const model of other.models) addReplies(this.models.of(model.name), model)
    for (const protocol of other.protocols) addReplies(this.protocols.of(protocol.name), protocol)
    for (const day of other.days) addDay(this.days.of(day.day), day)
  }

  result(): RunStatistics {
    return {
      runs: this.runs,
      ends: this.ends.result(),
      approvals: { ...this.approvals },
      toolDuration: this.toolDuration.result(),
      tools: this.tools.map((name, { errors, duration, ...counts }) => ({
        name,
        ...counts,
        errors: errors.result(),
        duration: duration.result(),
      })),
      models: this.models.map(repliesOf),
      protocols: this.protocols.map(repliesOf),
      days: this.days.map((day, figures) => ({ day, ...figures })),
    }
  }
}

/** About 27 years. */
const MAX_DAYS = 10_000

type Changeable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** Collects the statistics of a tool. */
type ToolTally = Changeable<Pick<ToolStatistics, 'calls' | 'succeeded' | 'failed' | 'denied'>> & {
  readonly errors: CountTally
  readonly duration: DurationTally
}

const REPLY_COUNTS = [
  'turns',
  'calls',
  'repaired',
  'malformed',
  'runs',
  'toolTime',
  'waitTime',
] as const

/** Collects the statistics of replies. */
export type ReplyTally = Changeable<
  Pick<ReplyStatistics, (typeof REPLY_COUNTS)[number] | 'usage'>
> & {
  readonly firstToken: DurationTally
  readonly duration: DurationTally
  readonly repairs: CountTally
}

type DayTally = Changeable<Omit<DayStatistics, 'day'>>

/**
 * Adds two usages. Costs are added in billionths, so that the result does not depend on the order.
 */
export function sumUsage(one: Usage, other: Usage): Usage {
  const { cost, ...sum } = addUsage(one, other)
  return { ...sum, ...(cost !== undefined && { cost: Math.round(cost * 1e9) / 1e9 }) }
}

function createToolTally(): ToolTally {
  const counts = { calls: 0, succeeded: 0, failed: 0, denied: 0 }
  return { ...counts, errors: new CountTally(), duration: new DurationTally() }
}

function createReplyTally(): ReplyTally {
  return {
    turns: 0,
    usage: noUsage,
    firstToken: new DurationTally(),
    duration: new DurationTally(),
    calls: 0,
    repaired: 0,
    repairs: new CountTally(),
    malformed: 0,
    runs: 0,
    toolTime: 0,
    waitTime: 0,
  }
}

function createDayTally(): DayTally {
  return { runs: 0, turns: 0, calls: 0, succeeded: 0, errors: 0, denied: 0, usage: noUsage }
}

function addTool(sum: ToolTally, tool: ToolStatistics): void {
  for (const key of ['calls', 'succeeded', 'failed', 'denied'] as const) sum[key] += tool[key]
  addCounts(sum.errors, tool.errors)
  sum.duration.add(tool.duration)
}

function addReplies(sum: ReplyTally, replies: ReplyStatistics): void {
  for (const key of REPLY_COUNTS) sum[key] += replies[key]
  sum.usage = sumUsage(sum.usage, replies.usage)
  sum.firstToken.add(replies.firstToken)
  sum.duration.add(replies.duration)
  addCounts(sum.repairs, replies.repairs)
}

function addDay(sum: DayTally, day: DayStatistics): void {
  for (const key of ['runs', 'turns', 'calls', 'succeeded', 'errors', 'denied'] as const)
    sum[key] += day[key]
  sum.usage = sumUsage(sum.usage, day.usage)
}

function addCounts(sum: CountTally, counts: readonly NamedCount[]): void {
  for (const { name, count } of counts) sum.add(name, count)
}

function repliesOf(name: string, tally: ReplyTally): ReplyStatistics {
  const { firstToken, duration, repairs } = tally
  return {
    name,
    ...tally,
    firstToken: firstToken.result(),
    duration: duration.result(),
    repairs: repairs.result(),
  }
}
