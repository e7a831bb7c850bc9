import { startOfLastDays } from '@toolglot/agent/internal'
import { journalStatistics, type RunStatistics } from '@toolglot/agent/journal'
import { findFolder } from '@toolglot/workspace/internal'
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { described, typed } from '../schemas/described.ts'
import { usage } from '../schemas/recorded-turn.ts'

/** Statistics of the recorded runs. */
export interface ShownStatistics extends RunStatistics {
  /**
   * The start of the first counted day, in milliseconds since 1970. Missing if all days are
   * counted.
   */
  readonly since?: number
  /** The ids of runs that are left out because their records are damaged. */
  readonly unreadable: readonly string[]
}

/** Selects the runs to count. */
export interface StatisticsInput {
  readonly folder?: string | undefined
  readonly days?: number | undefined
  readonly tool?: string | undefined
  readonly model?: string | undefined
  readonly protocol?: string | undefined
}

const counts = z.array(z.object({ name: z.string(), count: z.number() }))
const durations = z
  .looseObject({
    count: z.number(),
    total: z.number(),
    max: z.number(),
    median: z.number().describe('The median, accurate to a tenth.'),
    p95: z.number().describe('95 of 100 are not longer. Within a tenth.'),
    histogram: z
      .array(z.array(z.number()).length(2))
      .describe('The number of durations of each size. Four sizes are a doubling.'),
  })
  .meta({ id: 'Durations', description: 'Durations in milliseconds.' })
const replies = z.array(
  z
    .looseObject({
      name: z.string(),
      turns: z.number().describe('The number of replies.'),
      usage,
      firstToken: durations.describe('The time from the request to the first piece of a reply.'),
      duration: durations.describe('The duration of replies.'),
      calls: z.number(),
      repaired: z.number().describe('The number of repaired calls.'),
      repairs: counts.describe('The number of calls with each repair.'),
      malformed: z.number().describe('The number of malformed calls.'),
      runs: z.number().describe('The number of runs that used it.'),
      toolTime: z.number().describe('The total time of the tools that it called, in milliseconds.'),
      waitTime: z
        .number()
        .describe('The total time that its requests waited for people, in milliseconds.'),
    })
    .meta({ id: 'ReplyStatistics' }),
)

const shownStatistics: z.ZodType<ShownStatistics> = described(
  'RunStatistics',
  'Figures about runs.',
  {
    since: z
      .number()
      .optional()
      .describe('The start of the first counted day, in milliseconds since 1970.'),
    unreadable: z
      .array(z.string())
      .describe('The ids of runs that are not counted because their records are damaged.'),
    runs: z.number(),
    ends: counts.describe(
      'The number of runs by the reason for their end; `unfinished`: not ended yet.',
    ),
    approvals: z
      .looseObject({ asked: z.number(), allowed: z.number(), denied: z.number() })
      .describe('The number of approval requests, by answer.'),
    toolDuration: durations.describe('The duration of all tools.'),
    tools: z.array(
      z.looseObject({
        name: z.string(),
        calls: z.number(),
        succeeded: z.number(),
        failed: z.number(),
        denied: z.number(),
        errors: counts.describe('The number of failures by type of error.'),
        duration: durations.describe('The duration of its calls.'),
      }),
    ),
    models: replies,
    protocols: replies.describe('`native` is native function calling.'),
    days: z.array(
      z.looseObject({
        day: z.string().describe('In UTC, such as 2026-01-31.'),
        runs: z.number().describe('The number of runs started.'),
        turns: z.number(),
        calls: z.number(),
        succeeded: z.number(),
        errors: z.number().describe('The number of failed calls.'),
        denied: z.number(),
        usage,
      }),
    ),
  },
)

const name = z.string().min(1).max(1000).optional()

/** Counts the events of recorded runs. */
export const showStatistics: Endpoint<
  'GET /api/stats',
  { readonly query: StatisticsInput },
  ShownStatistics
> = {
  name: 'GET /api/stats',
  about: 'Count turns, calls, errors, repairs, tokens and time, by tool, model, protocol and day.',
  details: 'Imported runs are not counted, because they were executed elsewhere.',
  query: typed(
    z.strictObject({
      folder: z
        .string()
        .min(1)
        .max(4096)
        .optional()
        .describe(
          'Only runs in exactly this folder, given as an absolute path. Default: all runs.',
        ),
      days: z.coerce
        .number()
        .int()
        .min(1)
        .max(36_500)
        .optional()
        .describe('Only the last days in UTC; 1 is today. Default: all.'),
      tool: name.describe(
        'Only calls of this tool, and replies with one. Malformed calls have no tool.',
      ),
      model: name.describe('Only figures of this model.'),
      protocol: name.describe('Only figures of this protocol.'),
    }),
  ),
  answers: {
    200: {
      about: 'The figures. Each list is sorted by name or day.',
      schema: shownStatistics,
    },
  },
  async handle(
    { query: { folder, days, tool, model, protocol } },
    { services: { journal, statistics: cache }, signal },
  ) {
    const since = days === undefined ? undefined : startOfLastDays(days)
    const unreadable: string[] = []
    const statistics = await journalStatistics(journal, {
      folder: folder === undefined ? undefined : (findFolder(folder) ?? folder),
      since,
      only: {
        tool,
        model,
        protocol,
      },
      signal,
      cache,
      onUnreadable: (run) => unreadable.push(run),
    })
    return { ...statistics, unreadable, ...(since !== undefined && { since }) }
  },
}
