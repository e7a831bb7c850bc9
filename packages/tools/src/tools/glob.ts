import { tool, type Tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import { byName, type Glob, readGlob, filterInSlices } from '../search/glob.ts'
import {
  pathIn,
  placeFrom,
  refuseHidden,
  refuseNul,
  showableBelow,
  showableProblems,
  shownPath,
} from '../search/place.ts'

const parameters = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(4096)
    .describe(
      'Glob pattern, relative to path, such as **/*.go or src/**/*.{ts,tsx}. * stays in one folder, ** spans folders; a literal name such as app/[id].tsx matches itself.',
    ),
  path: z
    .string()
    .optional()
    .describe('Folder to search, absolute or relative. Default: the working directory.'),
  no_ignore: z
    .boolean()
    .optional()
    .describe('Include files that .gitignore and other ignore files exclude. Default false.'),
})

/** Arguments of Glob. */
export interface GlobArguments {
  readonly pattern: string
  readonly path?: string | undefined
  readonly no_ignore?: boolean | undefined
}

/** The result of Glob. */
export interface GlobResult {
  /**
   * At most 100 files, the most recently changed first and then by name. Paths in the working
   * directory are relative.
   */
  readonly files: readonly string[]
  readonly count: number
  /** Number of all matching files. */
  readonly total: number
  readonly truncated: boolean
  /** The searched folder. */
  readonly path: string
  /**
   * Number of matching files that ignore files exclude. Counted if there are no other matches, or
   * if counting is quick.
   */
  readonly ignored?: number
  /** Set if too many files matched to sort them by time. */
  readonly order?: 'name'
  readonly timed_out?: true
  readonly problems?: readonly string[]
}

/** Options of Glob. */
export interface GlobOptions {
  /**
   * Time limit for counting ignored files, in milliseconds. Default: depends on the duration of the
   * search.
   */
  readonly ignoredTimeout?: number | undefined
}

/** Creates the Glob tool, which finds files by name. */
export function globTool(
  host: Pick<Host, 'fileSystem' | 'search'>,
  { ignoredTimeout }: GlobOptions = {},
): Tool<GlobArguments, GlobResult> {
  const byTime = async (names: readonly string[], folder: string): Promise<string[]> => {
    const times = await host.search.times(names.map((name) => pathIn(folder, name)))
    const timed = names.map((name, index) => ({ name, time: times[index]! }))
    const compare = (one: (typeof timed)[0], other: (typeof timed)[0]): number =>
      other.time - one.time || byName(one.name, other.name)
    return firstSorted(timed, MAX, compare).map(({ name }) => name)
  }

  return tool({
    name: 'Glob',
    description:
      'Find files by name with a glob pattern. Returns at most 100, most recently changed first. Includes hidden files, but not .git or ignored files.',
    parameters,
    access: canonicalTools.get('Glob')!,
    level: 1,
    idempotent: true,
    timeout: TIMEOUT,

    async execute({ pattern, path, no_ignore: ignored = false }, context) {
      const { signal, mayShow } = context
      refuseNul('pattern', pattern)
      const folder = placeFrom(path, host.fileSystem)
      const glob = globOf(pattern, folder)
      const search = async (ignored: boolean, timeout: number) => {
        const { endings } = glob
        const found = await host.search.names(folder, {
          endings,
          ignored,
          signal,
          timeout,
        })
        refuseHidden(folder, found.real, context, host.fileSystem)
        const isShowable = showableBelow(folder, found.real, mayShow)
        const fits = (name: string): boolean => glob.matches(name) && isShowable(name)
        return {
          ...found,
          names: await filterInSlices(found.names, fits, signal),
          problems: showableProblems(found.problems, isShowable),
        }
      }

      const began = performance.now()
      const { names, real, timedOut, problems } = await search(ignored, TIMEOUT)
      const took = performance.now() - began
      const recent = names.length <= MAX_SORTED_BY_TIME
      const files = recent ? await byTime(names, real) : firstSorted(names, MAX, byName)
      const wait = ignoredTimeout ?? (names.length === 0 ? 1000 : took < QUICK ? 250 : 0)
      const hidden =
        ignored || timedOut || names.length > MAX || wait === 0
          ? undefined
          : await search(true, wait)
      return {
        files: files.map((name) => shownPath(pathIn(folder, name), host.fileSystem)),
        count: files.length,
        total: names.length,
        truncated: files.length < names.length,
        path: folder,
        ignored: hidden && !hidden.timedOut ? hidden.names.length - names.length : undefined,
        order: recent ? undefined : ('name' as const),
        timed_out: timedOut ? (true as const) : undefined,
        problems: problems.length > 0 ? problems : undefined,
      }
    },

    show: ({ files, total, truncated, ignored = 0, order, timed_out, problems = [] }) =>
      [
        ...(total === 0 ? ['No files found.'] : files),
        ...(truncated
          ? [
              `(Showing ${files.length} of ${total} files, ${order ? 'by name' : 'most recently changed first'}. Narrow the pattern or path to see others.)`,
            ]
          : []),
        ...(ignored > 0
          ? [
              `(${ignored} more ${ignored === 1 ? 'is' : 'are'} ignored by .gitignore; use no_ignore: true to list them.)`,
            ]
          : []),
        ...(timed_out ? ['(The search timed out: there may be more.)'] : []),
        ...problems.map((problem) => `(${problem})`),
      ].join('\n'),
  })
}

const MAX = 100
const TIMEOUT = 60_000

/** Ignored files are counted only after a search that took less than this, in milliseconds. */
const QUICK = 30

/** With more files, getting their times would take longer than finding them. */
const MAX_SORTED_BY_TIME = 5000

/** The first `max` items in sorted order. Takes linear time if `max` is small. */
function firstSorted<Item>(
  items: readonly Item[],
  max: number,
  compare: (one: Item, other: Item) => number,
): Item[] {
  const best: Item[] = []
  let worst: Item | undefined
  for (const item of items) {
    if (worst !== undefined && compare(item, worst) >= 0) continue
    best.push(item)
    if (best.length < 2 * max) continue
    best.sort(compare).length = max
    worst = best[max - 1]
  }
  return best.sort(compare).slice(0, max)
}

function globOf(pattern: string, folder: string): Glob {
  const start = folder === '/' ? '/' : `${folder}/`
  const inside = pattern.startsWith(start) ? pattern.slice(start.length) : pattern
  if (inside.startsWith('/') || inside.startsWith('~/') || inside.split('/').includes('..'))
    throw new ToolError(
      'invalid_input',
      `The pattern must be relative to ${folder}, unlike ${JSON.stringify(pattern)}. Set path to the folder and pattern to the rest.`,
    )
  return readGlob(inside.replace(/^(\.\/)+/, ''))
}
