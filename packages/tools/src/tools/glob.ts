import { tool, type Tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import { byName } from '../search/by-name.ts'
import { first } from '../search/first.ts'
import { readGlob } from '../search/glob.ts'
import { filterPatiently } from '../search/filter-slowly.ts'
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
      'Glob pattern of names below path, such as **/*.go or src/**/*.{ts,tsx}. * stays in one folder, ** spans folders; a name with brackets such as app/[id].tsx is found as it is',
    ),
  path: z
    .string()
    .optional()
    .describe('Folder to search, absolute or relative; the working folder if left out'),
  no_ignore: z
    .boolean()
    .optional()
    .describe('Also list what .gitignore and other ignore files leave out; false if left out'),
})

export interface GlobArguments {
  readonly pattern: string
  readonly path?: string | undefined
  readonly no_ignore?: boolean | undefined
}

export interface GlobResult {
  /** At most 100, recently changed first and then by name; relative to the working folder if they lie in it. */
  readonly files: readonly string[]
  readonly count: number
  /** All that match. */
  readonly total: number
  readonly truncated: boolean
  /** The folder that was searched. */
  readonly path: string
  /** Matching files that ignore files leave out. They are counted where nothing else was found, or where that is quick. */
  readonly ignored?: number
  /** Too many matched to look at their times. */
  readonly order?: 'name'
  readonly timed_out?: true
  readonly problems?: readonly string[]
}

export interface GlobOptions {
  /** How long ignored files may be counted, in milliseconds, whatever the search took. */
  readonly patience?: number
}

/** Finds files by name. */
export function globTool(
  host: Pick<Host, 'fileSystem' | 'search'>,
  { patience }: GlobOptions = {},
): Tool<GlobArguments, GlobResult> {
  const byTime = async (names: readonly string[], folder: string): Promise<string[]> => {
    const times = await host.search.times(names.map((name) => pathIn(folder, name)))
    const timed = names.map((name, index) => ({ name, time: times[index]! }))
    const compare = (one: (typeof timed)[0], other: (typeof timed)[0]): number =>
      other.time - one.time || byName(one.name, other.name)
    return first(timed, MAX, compare).map(({ name }) => name)
  }

  return tool({
    name: 'Glob',
    description:
      'Find files by a glob pattern of their names. Tells at most 100, recently changed first; hidden files are found, .git and ignored files are not.',
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
          ...(endings ? { endings } : {}),
          ignored,
          signal,
          timeout,
        })
        refuseHidden(folder, found.real, context, host.fileSystem)
        const isShowable = showableBelow(folder, found.real, mayShow)
        const fits = (name: string): boolean => glob.matches(name) && isShowable(name)
        return {
          ...found,
          names: await filterPatiently(found.names, fits, signal),
          problems: showableProblems(found.problems, isShowable),
        }
      }

      const began = performance.now()
      const { names, real, timedOut, problems } = await search(ignored, TIMEOUT)
      const took = performance.now() - began
      const recent = names.length <= TIMES_LOOKED_AT
      const files = recent ? await byTime(names, real) : first(names, MAX, byName)
      const wait = patience ?? (names.length === 0 ? 1000 : took < QUICK ? 250 : 0)
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
        ...(hidden && !hidden.timedOut ? { ignored: hidden.names.length - names.length } : {}),
        ...(recent ? {} : { order: 'name' as const }),
        ...(timedOut ? { timed_out: true as const } : {}),
        ...(problems.length > 0 ? { problems } : {}),
      }
    },

    show: ({ files, total, truncated, ignored = 0, order, timed_out, problems = [] }) =>
      [
        ...(total === 0 ? ['No files found.'] : files),
        ...(truncated
          ? [
              `(${files.length} of ${total} files, ${order ? 'by name' : 'the most recently changed'}. Narrow the pattern or the path to see others.)`,
            ]
          : []),
        ...(ignored > 0
          ? [
              `(${ignored} more ${ignored === 1 ? 'is' : 'are'} ignored by .gitignore; no_ignore: true lists them.)`,
            ]
          : []),
        ...(timed_out ? ['(The search took too long and was stopped: there may be more.)'] : []),
        ...problems.map((problem) => `(${problem})`),
      ].join('\n'),
  })
}

const MAX = 100
const TIMEOUT = 60_000

/** A search that took no longer, in milliseconds, may be followed by one for what is ignored. */
const QUICK = 30

/** The times of more files than this are not looked at: that would take longer than finding them. */
const TIMES_LOOKED_AT = 5000

function globOf(pattern: string, folder: string): NonNullable<ReturnType<typeof readGlob>> {
  const start = folder === '/' ? '/' : `${folder}/`
  const inside = pattern.startsWith(start) ? pattern.slice(start.length) : pattern
  if (inside.startsWith('/') || inside.startsWith('~/') || inside.split('/').includes('..'))
    throw new ToolError(
      'invalid_input',
      `Expected a pattern of names below ${folder}, got ${JSON.stringify(pattern)}. Give the folder as path, and the rest as pattern.`,
    )
  const glob = readGlob(inside.replace(/^(\.\/)+/, ''))
  if (!glob)
    throw new ToolError('invalid_input', 'Expected a pattern whose braces stand for at most 256.')
  return glob
}
