import { tool, type Tool, type ToolContext } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import type { FoundCounts, TextQuery } from '../host/search.ts'
import { byName, filterInSlices, readGlob } from '../search/glob.ts'
import { createMatchCollector, windowOf, type GrepResult, showGrep } from '../search/grep-result.ts'
import {
  pathIn,
  placeFrom,
  refuseHidden,
  refuseNul,
  showableBelow,
  showableProblems,
  shownPath,
} from '../search/place.ts'

/** Selects the files to search. */
interface NameFilter {
  readonly matches: (name: string) => boolean
  /** See `Glob.endings`. */
  readonly endings?: readonly string[]
}

const count = z.int().min(0)

const parameters = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(10_000)
    .describe('Regular expression in Rust syntax; no look-around, no backreferences.'),
  path: z
    .string()
    .optional()
    .describe(
      'Folder or file to search, absolute or relative. Default: the working directory. A file is searched even if it is ignored.',
    ),
  glob: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      'Search only files that match this glob, such as *.go, src/**/*.{ts,tsx} or !*.test.ts.',
    ),
  type: z
    .string()
    .regex(/^[a-z0-9_+-]{1,40}$/i)
    .optional()
    .describe('Search only files of this ripgrep type, such as js, py, rust or go.'),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe(
      'content: matching lines. files_with_matches (default): file names. count: number of matching lines in each file.',
    ),
  '-i': z.boolean().optional().describe('Ignore case.'),
  '-n': z.boolean().optional().describe('Show line numbers in content mode. Default true.'),
  '-A': count.max(1000).optional().describe('Lines to show after each match, in content mode.'),
  '-B': count.max(1000).optional().describe('Lines to show before each match, in content mode.'),
  '-C': count
    .max(1000)
    .optional()
    .describe(
      'Lines to show before and after each match, in content mode. Default: 50 for a single match, 15 for two or three, else 0.',
    ),
  '-o': z.boolean().optional().describe('Show and count each match instead of its whole line.'),
  fixed_strings: z.boolean().optional().describe('Treat the pattern as plain text.'),
  multiline: z.boolean().optional().describe('Let matches span lines; . also matches line breaks.'),
  head_limit: count
    .optional()
    .describe('Maximum number of lines or files to show. Default 250; 0 for as many as fit.'),
  offset: count
    .optional()
    .describe('Number of lines or files to skip, to continue a previous search.'),
})

/** Arguments of Grep. */
export interface GrepArguments {
  readonly pattern: string
  readonly path?: string | undefined
  readonly glob?: string | undefined
  readonly type?: string | undefined
  readonly output_mode?: GrepResult['output_mode'] | undefined
  readonly '-i'?: boolean | undefined
  readonly '-n'?: boolean | undefined
  readonly '-A'?: number | undefined
  readonly '-B'?: number | undefined
  readonly '-C'?: number | undefined
  readonly '-o'?: boolean | undefined
  readonly fixed_strings?: boolean | undefined
  readonly multiline?: boolean | undefined
  readonly head_limit?: number | undefined
  readonly offset?: number | undefined
}

/** Options of Grep. */
export interface GrepOptions {
  /** Time limit of a search, in milliseconds. */
  readonly timeout?: number | undefined
}

/** Creates the Grep tool, which searches the contents of files. */
export function grepTool(
  host: Pick<Host, 'fileSystem' | 'search'>,
  { timeout = 30_000 }: GrepOptions = {},
): Tool<GrepArguments, GrepResult> {
  return tool({
    name: 'Grep',
    description:
      'Search file contents with a regular expression. Includes hidden files, but not .git, ignored files or binary files. total_matches includes matching lines that are not shown.',
    parameters,
    access: canonicalTools.get('Grep')!,
    level: 1,
    idempotent: true,
    timeout: 2 * timeout + 5000,

    async execute(args, context) {
      const { output_mode = 'files_with_matches', head_limit = 250, offset = 0 } = args
      for (const argument of ['pattern', 'glob'] as const) refuseNul(argument, args[argument] ?? '')
      const place = placeFrom(args.path, host.fileSystem)
      const query = queryOf(args)
      const found = await countIn(place, query, args, context)
      const total_matches = found.counts.reduce((sum, [, lines]) => sum + lines, 0)
      const max = head_limit === 0 ? Infinity : head_limit
      const pathOf = (name: string): string => shownPath(pathIn(place, name), host.fileSystem)
      const totals = {
        total_matches,
        total_files: found.counts.length,
        path: place,
        timed_out: found.timedOut ? (true as const) : undefined,
        problems: found.problems.length > 0 ? found.problems : undefined,
        binary_files: found.binary.length > 0 ? found.binary.map(pathOf) : undefined,
      }

      if (output_mode !== 'content') {
        const page = found.counts.slice(offset, offset + Math.min(max, MAX_FILES))
        const cut = cutOf(offset, page.length, found.counts.length)
        return output_mode === 'count'
          ? {
              output_mode,
              counts: page.map(([name, lines]) => ({ file: pathOf(name), count: lines })),
              ...cut,
              ...totals,
            }
          : { output_mode, files: page.map(([name]) => pathOf(name)), ...cut, ...totals }
      }

      const around = contextOf(args, total_matches)
      const { files, skip } = windowOf(found.counts, offset, max)
      const { matches, take } = createMatchCollector({
        files: files.map(pathOf),
        skip,
        max,
        after: around.after,
        budget: MAX_CHARACTERS,
      })
      const read = await host.search.lines(
        files.map((name) => pathIn(found.real, name)),
        query,
        { ...around, signal: context.signal, timeout, onLine: take },
      )
      const problems = [...found.problems, ...read.problems]
      return {
        output_mode,
        matches,
        ...cutOf(offset, matches.length, total_matches),
        ...totals,
        ...(found.timedOut || read.timedOut ? { timed_out: true as const } : {}),
        ...(problems.length > 0 ? { problems } : {}),
      }
    },

    show: (result, args) => showGrep(result, { numbers: args['-n'] ?? true, offset: args.offset }),
  })

  /** Counts the visible matches in each file. */
  async function countIn(
    place: string,
    query: TextQuery,
    { glob, type }: GrepArguments,
    context: ToolContext,
  ): Promise<FoundCounts> {
    const { signal, mayShow } = context
    const filter = nameFilter(glob, place, host.fileSystem.cwd)
    const isSeen = showableBelow(place, place, mayShow)
    let files = 0
    let reported = performance.now()
    const found = await host.search.count(place, query, {
      endings: filter.endings,
      type,
      signal,
      timeout,
      onFile: (name) => {
        if (filter.matches(name) && isSeen(name)) files++
        if (files === 0 || performance.now() - reported < 1000) return
        reported = performance.now()
        context.progress({ type: 'note', text: `${files} files match so far` })
      },
    })
    refuseHidden(place, found.real, context, host.fileSystem)
    if (found.isFile) return found
    const isShowable = showableBelow(place, found.real, mayShow)
    const fits = (name: string): boolean => filter.matches(name) && isShowable(name)
    const counts = await filterInSlices(found.counts, ([name]) => fits(name), signal)
    counts.sort(([one], [other]) => byName(one, other))
    return {
      ...found,
      counts,
      binary: found.binary.filter(fits),
      problems: showableProblems(found.problems, isShowable),
    }
  }
}

/** Maximum number of characters in one result. */
const MAX_CHARACTERS = 200_000

const MAX_FILES = 10_000

function queryOf(args: GrepArguments): TextQuery {
  return {
    pattern: args.pattern,
    fixed: args.fixed_strings ?? false,
    ignoreCase: args['-i'] ?? false,
    multiline: args.multiline ?? false,
    onlyMatches: args['-o'] ?? false,
  }
}

/**
 * A small number of matches is shown with context, which the model would otherwise request in its
 * next call.
 */
function contextOf(
  args: GrepArguments,
  matches: number,
): { readonly before: number; readonly after: number } {
  if (args['-o']) return { before: 0, after: 0 }
  const requested = args['-A'] ?? args['-B'] ?? args['-C']
  const around =
    args['-C'] ?? (requested === undefined ? (matches === 1 ? 50 : matches <= 3 ? 15 : 0) : 0)
  return { before: args['-B'] ?? around, after: args['-A'] ?? around }
}

function cutOf(
  offset: number,
  shown: number,
  total: number,
): { readonly truncated: boolean; readonly next_offset?: number } {
  const next = offset + shown
  if (next >= total) return { truncated: false }
  return shown > 0 ? { truncated: true, next_offset: next } : { truncated: true }
}

/**
 * Parses a glob that filters files. Without a slash, it matches the last part of a name; with one,
 * the name relative to the searched folder or the working directory. A leading `!` negates it.
 */
function nameFilter(glob: string | undefined, folder: string, cwd: string): NameFilter {
  if (glob === undefined) return { matches: () => true }
  const negated = glob.startsWith('!')
  const pattern = (negated ? glob.slice(1) : glob).replace(/^\.?\//, '')
  const read = readGlob(pattern)
  const fits = pattern.includes('/')
    ? (name: string) => read.matches(name) || read.matches(shownPath(pathIn(folder, name), { cwd }))
    : (name: string) => read.matches(name.slice(name.lastIndexOf('/') + 1))
  return negated ? { matches: (name) => !fits(name) } : { matches: fits, endings: read.endings }
}
