import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import { ByName, CountTally, type NamedCount, type Durations, DurationTally } from './tallies.ts'

/**
 * Figures about runs, as plain data, each list sorted by name or day. After the first thousand names (a hundred, where only
 * counts are listed), all others are counted together as `other`.
 */
export interface RunStatistics {
  readonly runs: number
  /** How many runs ended for each reason; `unfinished`: not yet. */
  readonly ends: readonly NamedCount[]
  readonly approvals: ApprovalCounts
  /** How long tools ran, all of them together. */
  readonly toolDuration: Durations
  readonly tools: readonly ToolStatistics[]
  readonly models: readonly ReplyStatistics[]
  /** By the protocol that the model was told to use; `native` for native function calling. */
  readonly protocols: readonly ReplyStatistics[]
  readonly days: readonly DayStatistics[]
}

/** How often a person was asked to approve a call, and what they said. */
interface ApprovalCounts {
  readonly asked: number
  readonly allowed: number
  readonly denied: number
}

/** Figures about the calls of a tool. */
interface ToolStatistics {
  /** As the model wrote it. */
  readonly name: string
  /** How often it was called. Calls that never ran, or have not ended, are in none of the other counts. */
  readonly calls: number
  readonly succeeded: number
  readonly failed: number
  readonly denied: number
  /** How often it failed with each type of error. */
  readonly errors: readonly NamedCount[]
  /** How long it ran. */
  readonly duration: Durations
}

/** Figures about the replies of a model, or in a protocol. */
interface ReplyStatistics {
  readonly name: string
  /** How many replies there were. Summaries of long histories are only in the usage. */
  readonly turns: number
  readonly usage: Usage
  /** From the request to the first piece of a reply. */
  readonly firstToken: Durations
  /** How long a reply took. */
  readonly duration: Durations
  readonly calls: number
  /** How many calls needed a repair. */
  readonly repaired: number
  /** How many calls needed each repair. */
  readonly repairs: readonly NamedCount[]
  /** How many calls could not be read. */
  readonly malformed: number
  /** How many runs it was used in. */
  readonly runs: number
  /** How long the tools that it called ran, together, in milliseconds. */
  readonly toolTime: number
  /** How long people took to answer its requests, together, in milliseconds. */
  readonly waitTime: number
}

/** Figures about a day. */
interface DayStatistics {
  /** In UTC, such as `2026-01-31`. */
  readonly day: string
  /** How many runs began. */
  readonly runs: number
  readonly turns: number
  readonly calls: number
  readonly succeeded: number
  /** How many calls failed. */
  readonly errors: number
  readonly denied: number
  readonly usage: Usage
}

/** The statistics of several runs together. */
export function addStatistics(all: Iterable<RunStatistics>): RunStatistics {
  const sum = new StatisticsTally()
  for (const each of all) sum.add(each)
  return sum.result()
}

/** Statistics that are still counted. */
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

/** 27 years. */
const MAX_DAYS = 10_000

type Changeable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** Figures about the calls of a tool that are still counted. */
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

/** Figures about replies that are still counted. */
export type ReplyTally = Changeable<
  Pick<ReplyStatistics, (typeof REPLY_COUNTS)[number] | 'usage'>
> & {
  readonly firstToken: DurationTally
  readonly duration: DurationTally
  readonly repairs: CountTally
}

type DayTally = Changeable<Omit<DayStatistics, 'day'>>

/** The sum of two usages. Costs are sums of billionths, so that their order does not matter. */
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
