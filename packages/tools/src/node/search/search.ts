import { lstatSync } from 'node:fs'
import { ToolError } from '@toolglot/agent'
import type {
  CountOptions,
  Counts,
  LinesOptions,
  Names,
  Progressed,
  Search,
  TextQuery,
} from '../../host/search.ts'
import { readCounts, readLineCounts } from '../../search/read-counts.ts'
import { readLines } from '../../search/read-lines.ts'
import { records } from '../../search/records.ts'
import { type FindOptions, findRipgrep } from './find-ripgrep.ts'
import { pin, type Pinned, pinPlace, cwdAt, unpin } from './open-path.ts'
import { ripgrep, type RipgrepEnd } from './ripgrep.ts'

/** Search by ripgrep. */
export function nodeSearch(options: FindOptions = {}): Search {
  let found: Promise<string> | undefined
  const program = (): Promise<string> => (found ??= findRipgrep(options))

  return {
    async names(folder, { endings, ignored = false, signal, timeout }): Promise<Names> {
      const place = pinPlace(folder)
      try {
        if (!place.isFolder) throw notAFolder(folder)
        const names: string[] = []
        const end = await ripgrep(
          await program(),
          ['--files', '--null', ...WALK, ...(ignored ? ['--no-ignore'] : []), ...only(endings)],
          {
            cwd: cwdAt(place),
            signal,
            timeout,
            onText: records('\0', (name) => names.push(name) < MAX_NAMES),
          },
        )
        const problems = problemsOf(end)
        if (names.length === MAX_NAMES) problems.push(`only ${MAX_NAMES} names were looked at`)
        return { real: place.real, names, timedOut: end.timedOut, problems }
      } finally {
        unpin(place)
      }
    },

    // One after the other is several times as fast as all at once.
    times: (files) => Promise.resolve(files.map(timeOf)),

    async count(path, query, options): Promise<Counts> {
      const place = pinPlace(path)
      try {
        if (place.isFolder) return await countFolder(await program(), place, query, options)
        if (place.isFile) return await countFile(await program(), place, query, options)
        throw new ToolError('invalid_input', `${path} is neither a file nor a folder.`)
      } finally {
        unpin(place)
      }
    },

    async lines(files, query, options): Promise<Progressed> {
      const problems: string[] = []
      let wanted = true
      let timedOut = false
      for (let first = 0; first < files.length && wanted && !timedOut; first += AT_ONCE) {
        const batch = files.slice(first, first + AT_ONCE)
        const end = await linesOf(await program(), batch, query, {
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
    // It is gone again, or hidden from us.
    return 0
  }
}

/** More names than this are not held in memory. */
const MAX_NAMES = 2_000_000

/** How many files are open at once. */
const AT_ONCE = 128

/** Every name begins with it. Told no folder, ripgrep would complain of an empty one. */
const HERE = './'

/** Hidden files count, `.git` does not, and `.gitignore` does even where there is no repository. */
const WALK = ['--hidden', '--no-require-git', '--glob=!.git']

/**
 * Only names that end so. Ripgrep's own globs would bring what ignore files leave out; kinds of files do not.
 * One with a colon cannot be told to it.
 */
function only(endings: readonly string[] | undefined): string[] {
  if (!endings || endings.some((ending) => ending.includes(':'))) return []
  return [...endings.map((ending) => `--type-add=wanted:${ending}`), '--type=wanted']
}

async function countFolder(
  program: string,
  place: Pinned,
  query: TextQuery,
  { endings, type, signal, timeout, onFile }: CountOptions,
): Promise<Counts> {
  const onName = onFile && ((name: string): void => onFile(name.slice(HERE.length)))
  const reader = query.multiline ? readLineCounts(onName) : readCounts(onName)
  const kinds = type === undefined ? only(endings) : [`--type=${type}`]
  const how = [...WALK, ...kinds, ...flagsOf(query), ...(query.multiline ? LINES : countsOf(query))]
  const end = await ripgrep(program, [...how, ...patternOf(query), HERE], {
    cwd: cwdAt(place),
    signal,
    timeout,
    onText: reader.feed,
  })
  await refuseBadQuery(program, end, [...kinds, ...flagsOf(query), ...patternOf(query)], signal)
  const { counts, binary } = reader.end()
  return {
    real: place.real,
    isFile: false,
    counts: counts.map(([name, lines]) => [name.slice(HERE.length), lines]),
    binary: binary.map((name) => name.slice(HERE.length)),
    ...endOf(end),
  }
}

/** Lines of one file are counted as they are written, because that tells whether it is text. */
async function countFile(
  program: string,
  place: Pinned,
  query: TextQuery,
  { signal, timeout }: CountOptions,
): Promise<Counts> {
  const reader = readLineCounts()
  const args = [...LINES, ...flagsOf(query), ...patternOf(query), '/dev/fd/3']
  const end = await ripgrep(program, args, {
    descriptors: [place.descriptor],
    signal,
    timeout,
    onText: reader.feed,
  })
  await refuseBadQuery(program, end, [...flagsOf(query), ...patternOf(query)], signal)
  const { counts, binary } = reader.end()
  return {
    real: place.real,
    isFile: true,
    counts: counts.map(([, lines]) => ['', lines]),
    binary: binary.map(() => ''),
    ...endOf(end),
  }
}

async function linesOf(
  program: string,
  files: readonly string[],
  query: TextQuery,
  { before, after, signal, timeout, onLine }: LinesOptions,
): Promise<Progressed> {
  const problems: string[] = []
  const opened: { readonly place: Pinned; readonly file: number }[] = []
  try {
    for (const [file, path] of files.entries()) {
      const place = pinAsFound(path)
      if (typeof place === 'string') problems.push(place)
      else opened.push({ place, file })
    }
    if (opened.length === 0) return { timedOut: false, problems }
    const args = [
      ...LINES,
      `--max-columns=${LONGEST}`,
      '--max-columns-preview',
      '--threads=1',
      `--before-context=${before}`,
      `--after-context=${after}`,
      ...flagsOf(query),
      ...patternOf(query),
      ...opened.map((_, at) => `/dev/fd/${3 + at}`),
    ]
    const end = await ripgrep(program, args, {
      descriptors: opened.map(({ place }) => place.descriptor),
      signal,
      timeout,
      onText: readLines(({ file, ...line }) => onLine({ ...line, file: opened[file]!.file })),
    })
    return { timedOut: end.timedOut, problems: [...problems, ...problemsOf(end)] }
  } finally {
    for (const { place } of opened) unpin(place)
  }
}

/** Opens a file that was found under a name without links; or says why not. */
function pinAsFound(path: string): Pinned | string {
  try {
    const place = pin(path)
    if (place.isFile && place.real === path) return place
    unpin(place)
    return `${path}: it was replaced while it was searched`
  } catch (error) {
    // It was removed, or may not be read.
    return error instanceof Error ? error.message : String(error)
  }
}

/** Beyond this many characters of a line the rest is not written; the reader cuts earlier. */
const LONGEST = 8000

const LINES = [
  '--line-number',
  '--with-filename',
  '--null',
  '--no-heading',
  '--no-mmap',
  '--no-context-separator',
]

function countsOf({ onlyMatches }: TextQuery): string[] {
  return [onlyMatches ? '--count-matches' : '--count', '--with-filename', '--null']
}

function flagsOf({ fixed, ignoreCase, multiline, onlyMatches }: TextQuery): string[] {
  return [
    '--crlf',
    ...(fixed ? ['--fixed-strings'] : []),
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(onlyMatches ? ['--only-matching'] : []),
  ]
}

/** In this form a pattern can never be taken for a flag. */
function patternOf({ pattern }: TextQuery): string[] {
  return [`--regexp=${pattern}`, '--']
}

/** Whether files went wrong or the question did is told by asking it of nothing. */
async function refuseBadQuery(
  program: string,
  { code }: RipgrepEnd,
  args: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (code !== 2) return
  const asked = await ripgrep(program, [...args, '/dev/null'], { signal, onText: () => true })
  if (asked.code !== 2) return
  const complaint = asked.complaints.replace(/^rg: /, '').split('\n\nConsider ')[0]
  throw new ToolError('invalid_input', `The search was refused: ${complaint}`, {
    code: 'invalid_pattern',
    engine: 'ripgrep',
  })
}

function endOf(end: RipgrepEnd): Progressed {
  return { timedOut: end.timedOut, problems: problemsOf(end) }
}

function problemsOf({ code, complaints }: RipgrepEnd): string[] {
  if (code !== 2 || complaints === '') return []
  return complaints.split('\n').map((line) => line.replace(/^rg: /, ''))
}

function notAFolder(path: string): ToolError {
  return new ToolError('invalid_input', `Expected a folder, but ${path} is a file.`, { path })
}
