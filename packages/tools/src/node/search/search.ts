import { lstatSync } from 'node:fs'
import { ToolError } from '@toolglot/agent'
import type {
  CountOptions,
  FoundCounts,
  LinesOptions,
  FoundNames,
  SearchEnd,
  Search,
  TextQuery,
} from '../../host/search.ts'
import { readCounts, readLineCounts, readLines, splitRecords } from '../../search/ripgrep-output.ts'
import { type FindRipgrepOptions, findRipgrep, runRipgrep, type RipgrepEnd } from './ripgrep.ts'
import { openPath, type OpenPath, openSearchPath, cwdOf, closePath } from './open-path.ts'

/** Search with ripgrep. */
export function nodeSearch(options: FindRipgrepOptions = {}): Search {
  let found: Promise<string> | undefined
  const program = (): Promise<string> => (found ??= findRipgrep(options))

  return {
    async names(folder, { endings, ignored = false, signal, timeout }): Promise<FoundNames> {
      const place = openSearchPath(folder)
      try {
        if (!place.isFolder) throw notAFolderError(folder)
        const names: string[] = []
        const end = await runRipgrep(
          await program(),
          [
            '--files',
            '--null',
            ...WALK,
            ...(ignored ? ['--no-ignore'] : []),
            ...typeFlags(endings),
          ],
          {
            cwd: cwdOf(place),
            signal,
            timeout,
            onText: splitRecords('\0', (name) => names.push(name) < MAX_NAMES),
          },
        )
        const problems = problemsOf(end)
        if (names.length === MAX_NAMES)
          problems.push(`only the first ${MAX_NAMES} names were searched`)
        return { real: place.real, names, timedOut: end.timedOut, problems }
      } finally {
        closePath(place)
      }
    },

    // Sequential calls are several times as fast as concurrent ones.
    times: (files) => Promise.resolve(files.map(timeOf)),

    async count(path, query, options): Promise<FoundCounts> {
      const place = openSearchPath(path)
      try {
        if (place.isFolder) return await countFolder(await program(), place, query, options)
        if (place.isFile) return await countFile(await program(), place, query, options)
        throw new ToolError('invalid_input', `${path} is neither a file nor a folder.`)
      } finally {
        closePath(place)
      }
    },

    async lines(files, query, options): Promise<SearchEnd> {
      const problems: string[] = []
      let wanted = true
      let timedOut = false
      for (let first = 0; first < files.length && wanted && !timedOut; first += AT_ONCE) {
        const batch = files.slice(first, first + AT_ONCE)
        const end = await searchLines(await program(), batch, query, {
          ...options,
          onLine: (line) => (wanted = options.onLine({ ...line, file: line.file + first })),
        })
        timedOut = end.timedOut
        problems.push(...end.problems)
      }
      return { timedOut, problems }
    },
  }
}

function timeOf(path: string): number {
  try {
    return lstatSync(path).mtimeMs
  } catch {
    // Removed, or not accessible.
    return 0
  }
}

/** The maximum number of names to hold in memory. */
const MAX_NAMES = 2_000_000

/** The maximum number of open files. */
const AT_ONCE = 128

/** The prefix of every name. Without one, ripgrep would report an error for an empty folder. */
const HERE = './'

/** Searches hidden files but not `.git`, and respects `.gitignore` even outside a repository. */
const WALK = ['--hidden', '--no-require-git', '--glob=!.git']

/**
 * Restricts the search by name globs, as a file type: unlike ripgrep's own globs, types do not override ignore files.
 * A type cannot contain a colon.
 */
function typeFlags(endings: readonly string[] | undefined): string[] {
  if (!endings || endings.some((ending) => ending.includes(':'))) return []
  return [...endings.map((ending) => `--type-add=wanted:${ending}`), '--type=wanted']
}

async function countFolder(
  program: string,
  place: OpenPath,
  query: TextQuery,
  { endings, type, signal, timeout, onFile }: CountOptions,
): Promise<FoundCounts> {
  const onName = onFile && ((name: string): void => onFile(name.slice(HERE.length)))
  const reader = query.multiline ? readLineCounts(onName) : readCounts(onName)
  const kinds = type === undefined ? typeFlags(endings) : [`--type=${type}`]
  const how = [
    ...WALK,
    ...kinds,
    ...queryFlags(query),
    ...(query.multiline ? LINES : countFlags(query)),
  ]
  const end = await runRipgrep(program, [...how, ...patternFlags(query), HERE], {
    cwd: cwdOf(place),
    signal,
    timeout,
    onText: reader.feed,
  })
  await refuseBadQuery(
    program,
    end,
    [...kinds, ...queryFlags(query), ...patternFlags(query)],
    signal,
  )
  const { counts, binary } = reader.end()
  return {
    real: place.real,
    isFile: false,
    counts: counts.map(([name, lines]) => [name.slice(HERE.length), lines]),
    binary: binary.map((name) => name.slice(HERE.length)),
    ...searchEnd(end),
  }
}

/** Counts the lines of one file from ripgrep's output, which shows if the file is text. */
async function countFile(
  program: string,
  place: OpenPath,
  query: TextQuery,
  { signal, timeout }: CountOptions,
): Promise<FoundCounts> {
  const reader = readLineCounts()
  const args = [...LINES, ...queryFlags(query), ...patternFlags(query), '/dev/fd/3']
  const end = await runRipgrep(program, args, {
    descriptors: [place.descriptor],
    signal,
    timeout,
    onText: reader.feed,
  })
  await refuseBadQuery(program, end, [...queryFlags(query), ...patternFlags(query)], signal)
  const { counts, binary } = reader.end()
  return {
    real: place.real,
    isFile: true,
    counts: counts.map(([, lines]) => ['', lines]),
    binary: binary.map(() => ''),
    ...searchEnd(end),
  }
}

async function searchLines(
  program: string,
  files: readonly string[],
  query: TextQuery,
  { before, after, signal, timeout, onLine }: LinesOptions,
): Promise<SearchEnd> {
  const problems: string[] = []
  const opened: { readonly place: OpenPath; readonly file: number }[] = []
  try {
    for (const [file, path] of files.entries()) {
      const place = reopenFound(path)
      if (typeof place === 'string') problems.push(place)
      else opened.push({ place, file })
    }
    if (opened.length === 0) return { timedOut: false, problems }
    const args = [
      ...LINES,
      `--max-columns=${MAX_LINE_LENGTH}`,
      '--max-columns-preview',
      '--threads=1',
      `--before-context=${before}`,
      `--after-context=${after}`,
      ...queryFlags(query),
      ...patternFlags(query),
      ...opened.map((_, at) => `/dev/fd/${3 + at}`),
    ]
    const end = await runRipgrep(program, args, {
      descriptors: opened.map(({ place }) => place.descriptor),
      signal,
      timeout,
      onText: readLines(({ file, ...line }) => onLine({ ...line, file: opened[file]!.file })),
    })
    return { timedOut: end.timedOut, problems: [...problems, ...problemsOf(end)] }
  } finally {
    for (const { place } of opened) closePath(place)
  }
}

/** Opens a file by the real path under which it was found. Otherwise returns the reason. */
function reopenFound(path: string): OpenPath | string {
  try {
    const place = openPath(path)
    if (place.isFile && place.real === path) return place
    closePath(place)
    return `${path}: replaced during the search`
  } catch (error) {
    // Removed, or not readable.
    return error instanceof Error ? error.message : String(error)
  }
}

/** Ripgrep cuts lines at this many characters; the reader cuts them earlier. */
const MAX_LINE_LENGTH = 8000

const LINES = [
  '--line-number',
  '--with-filename',
  '--null',
  '--no-heading',
  '--no-mmap',
  '--no-context-separator',
]

function countFlags({ onlyMatches }: TextQuery): string[] {
  return [onlyMatches ? '--count-matches' : '--count', '--with-filename', '--null']
}

function queryFlags({ fixed, ignoreCase, multiline, onlyMatches }: TextQuery): string[] {
  return [
    '--crlf',
    ...(fixed ? ['--fixed-strings'] : []),
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(onlyMatches ? ['--only-matching'] : []),
  ]
}

/** In this form, a pattern is never mistaken for a flag. */
function patternFlags({ pattern }: TextQuery): string[] {
  return [`--regexp=${pattern}`, '--']
}

/**
 * Exit code 2 means an invalid query or unreadable files. Running the query on an empty file
 * distinguishes the two.
 */
async function refuseBadQuery(
  program: string,
  { code }: RipgrepEnd,
  args: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (code !== 2) return
  const trial = await runRipgrep(program, [...args, '/dev/null'], { signal, onText: () => true })
  if (trial.code !== 2) return
  const complaint = trial.errors.replace(/^rg: /, '').split('\n\nConsider ')[0]
  throw new ToolError('invalid_input', `Invalid search: ${complaint}`, {
    code: 'invalid_pattern',
    engine: 'ripgrep',
  })
}

function searchEnd(end: RipgrepEnd): SearchEnd {
  return { timedOut: end.timedOut, problems: problemsOf(end) }
}

function problemsOf({ code, errors }: RipgrepEnd): string[] {
  if (code !== 2 || errors === '') return []
  return errors.split('\n').map((line) => line.replace(/^rg: /, ''))
}

function notAFolderError(path: string): ToolError {
  return new ToolError('invalid_input', `${path} is not a folder.`, { path })
}
