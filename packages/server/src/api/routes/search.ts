import { findFolder } from '@toolglot/workspace/internal'
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { typed } from '../schemas/described.ts'
import { folder, type InFolder } from '../schemas/settings.ts'
import { runSummary } from '../schemas/run-summary.ts'
import type { RunEvent } from '@toolglot/agent'
import { type Journal, JournalError, type RunSummary } from '@toolglot/agent/journal'
import { HttpError } from '../../security/http-error.ts'
import type { RunOutlines } from '../run-outlines.ts'
import { visitEvents } from '../read-records.ts'

/** Criteria for searching runs. */
interface FindRuns {
  readonly text?: string | undefined
  readonly tool?: string | undefined
  readonly model?: string | undefined
  readonly protocol?: string | undefined
  readonly reason?: string | undefined
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

/** One page of search results. */
interface FoundRuns {
  readonly runs: readonly RunSummary[]
  /** The total number of runs. */
  readonly total: number
  /** The start of the next page. */
  readonly next?: string | undefined
}

/** Criteria for searching runs, and a folder. */
export interface SearchRuns extends InFolder, FindRuns {}

const name = z.string().min(1).max(1000).optional()

const foundRuns: z.ZodType<FoundRuns> = typed(
  z
    .object({
      runs: z.array(runSummary),
      total: z.number().describe('The total number of runs.'),
      next: z
        .string()
        .optional()
        .describe('The value of `after` for the next page, if there may be more.'),
    })
    .meta({ id: 'FoundRuns', description: 'One page of search results.' }),
)

/** Searches the runs. */
export const searchRuns: Endpoint<'GET /api/search', { readonly query: SearchRuns }, FoundRuns> = {
  name: 'GET /api/search',
  about: 'Search the recorded runs, including their messages, calls and results, the latest first.',
  details:
    'A request takes about a second, or the time for one very large run. If not all runs were searched by then, or there are more than `limit`, the answer contains `next`: repeat the request with it as `after`, even if nothing was found so far.',
  query: typed(
    z.strictObject({
      folder: folder.describe('Only runs in this folder. Default: all runs.'),
      text: z
        .string()
        .max(1000)
        .optional()
        .describe(
          'Only runs with this text in their name, id or model, in a message or a reply, or in a call or its result.',
        ),
      tool: name.describe('Only runs that called this tool.'),
      model: name.describe('Only runs that used exactly this model, or `unknown`.'),
      protocol: name.describe('Only runs that used this protocol, `native`, or `unknown`.'),
      reason: name.describe('Only runs that ended for this reason, or have this state.'),
      limit: z.coerce.number().int().min(1).max(1000).optional().describe('Default: 100.'),
      after: z.string().max(1000).optional().describe('The `next` of the previous answer.'),
    }),
  ),
  answers: {
    200: {
      about: 'The runs.',
      schema: foundRuns,
    },
  },
  handle: ({ query: { folder: path, ...query } }, { services: { journal, outlines }, signal }) =>
    findRuns(journal, outlines, {
      ...query,
      signal,
      ...(path !== undefined && { folder: findFolder(path) ?? path }),
    }),
}

/** The time in milliseconds after which a request starts reading no further run. */
const MAX_TIME = 800

/**
 * Searches runs one by one, the latest first, for a limited time; a run is always read to its end.
 * The journal checks whether the search text occurs in a run, so that only matching runs are read.
 */
async function findRuns(
  journal: Pick<Journal, 'runs' | 'read'>,
  outlines: RunOutlines,
  {
    text = '',
    tool,
    model,
    protocol,
    reason,
    limit = 100,
    after,
    folder,
    signal,
  }: FindRuns & { readonly folder?: string; readonly signal?: AbortSignal },
): Promise<FoundRuns> {
  const all = await journal.runs({
    limit: Number.MAX_SAFE_INTEGER,
    folder,
  })
  const wanted = text.trim().toLowerCase()
  const began = performance.now()
  const found: RunSummary[] = []
  const place: Place = { journal, outlines, signal }
  for (let at = startOf(all, after); at < all.length; at++) {
    const summary = all[at]!
    const isFound =
      (reason === undefined || (summary.reason ?? summary.state) === reason) &&
      (model === undefined || (await uses(place, summary, ['model', model]))) &&
      (protocol === undefined || (await uses(place, summary, ['protocol', protocol]))) &&
      (wanted === '' || saysInSummary(summary, wanted) || (await says(place, summary, wanted))) &&
      (tool === undefined || (await calls(place, summary, tool)))
    if (isFound) found.push(summary)
    signal?.throwIfAborted()
    const isLast = at === all.length - 1
    if (!isLast && (found.length === limit || performance.now() - began > MAX_TIME))
      return { runs: found, total: all.length, next: `${summary.last}/${summary.run}` }
  }
  return { runs: found, total: all.length }
}

/** The journal and the runs to search. */
interface Place {
  readonly journal: Pick<Journal, 'runs' | 'read'>
  readonly outlines: RunOutlines
  readonly signal: AbortSignal | undefined
}

/** The index to continue at. Runs that changed in the meantime are before that. */
function startOf(all: readonly RunSummary[], after: string | undefined): number {
  if (after === undefined) return 0
  const slash = after.indexOf('/')
  const time = Number(after.slice(0, slash))
  const run = after.slice(slash + 1)
  if (slash < 1 || !Number.isFinite(time))
    throw new HttpError('invalid_request', 'after must be the value of next in an earlier answer.')
  const place = all.findIndex((each) => each.run === run && each.last === time)
  if (place >= 0) return place + 1
  const later = all.findIndex(({ last }) => last < time)
  return later < 0 ? all.length : later
}

function saysInSummary({ run, name, prompt, model }: RunSummary, wanted: string): boolean {
  return [run, name, prompt, model].some((text) => text?.toLowerCase().includes(wanted))
}

/**
 * The journal checks whether the search text occurs in the run's records. Some texts, such as the
 * descriptions of tools, occur in every run.
 */
async function says(
  { journal, signal }: Place,
  summary: RunSummary,
  wanted: string,
): Promise<boolean> {
  const { run } = summary
  if (!(await mayContain(journal, run, wanted))) return false
  return whereReadable(async () => {
    const visit = (event: RunEvent): boolean =>
      textsOf(event).some((text) => text.toLowerCase().includes(wanted))
    return visitEvents(summary, await journal.read(run), { visit, signal })
  })
}

/**
 * True if the records of a run may contain the text. The journal ignores case only for A to Z, so
 * it searches for the longest ASCII part of the text.
 */
async function mayContain(
  journal: Pick<Journal, 'runs'>,
  run: string,
  text: string,
): Promise<boolean> {
  const [longest = ''] = text.split(/[^ -~]+/).sort((one, other) => other.length - one.length)
  return longest === '' || (await journal.runs({ run, containing: longest })).length > 0
}

function calls({ outlines, signal }: Place, summary: RunSummary, tool: string): Promise<boolean> {
  return whereReadable(async () => (await outlines.of(summary, signal)).tools.includes(tool))
}

/**
 * True if the run used a model or a protocol. A summary contains one of each, but a resumed run may
 * have used several.
 */
async function uses(
  { journal, outlines, signal }: Place,
  summary: RunSummary,
  [what, name]: readonly [what: 'model' | 'protocol', name: string],
): Promise<boolean> {
  if ((summary[what] ?? UNKNOWN) === name) return true
  if (name !== UNKNOWN && !(await mayContain(journal, summary.run, name))) return false
  return whereReadable(async () => (await outlines.of(summary, signal))[`${what}s`].includes(name))
}

/** The name of an unrecorded model or protocol in the statistics. */
const UNKNOWN = 'unknown'

/** Skips unreadable runs: damaged ones, and imported ones with unknown records. */
async function whereReadable(look: () => Promise<boolean>): Promise<boolean> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof HttpError && error.code === 'invalid_file') return false
    if (error instanceof JournalError && error.problem === 'corrupt') return false
    throw error
  }
}

/** The searchable strings in an event. */
function textsOf(event: RunEvent): readonly string[] {
  switch (event.type) {
    case 'prompt':
      return [event.content]
    case 'text':
    case 'reasoning':
      return [event.delta]
    case 'call-end':
      return [event.call.name, ...textsIn(event.call.args)]
    case 'malformed':
    case 'result':
      return [event.raw]
    case 'tool-end':
    case 'tool-late':
      return [event.outcome.text]
    case 'answer':
      return textsIn(event.answers)
    case 'run-end':
      return [event.unfinished ?? '', event.error ?? '']
    default:
      return []
  }
}

/** The strings in a JSON value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.values(value).flatMap(textsIn)
}
