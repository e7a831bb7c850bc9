import type { EachFile } from '../decide/operation.ts'

/**
 * The folders that a command may run in, usually just one. Undefined represents an unknown folder.
 */
export type PossibleFolders = readonly (string | undefined)[]

/**
 * The shell's folder after a command's success or failure, and the file names that the command
 * printed.
 */
export interface CommandOutcome {
  readonly success: PossibleFolders
  readonly failure: PossibleFolders
  /** The printed file names, or undefined if unknown. */
  readonly names?: PrintedNames
}

/** File names that a command prints. */
export interface PrintedNames {
  readonly paths: readonly string[]
  /** Set if the paths are folders and the names of files in them are printed. */
  readonly each?: EachFile
  /** True if each name ends with a NUL character instead of a newline. */
  readonly zero?: boolean
  /** Patterns for the last part of each printed name. */
  readonly only?: readonly string[]
}

/** The outcome without the printed names, since other output may be mixed with them. */
export const withoutPrintedNames = ({ success, failure }: CommandOutcome): CommandOutcome => ({
  success,
  failure,
})

/** The outcome of a command that doesn't change folders. */
export const staysIn = (folders: PossibleFolders): CommandOutcome => ({
  success: folders,
  failure: folders,
})

/** The folders of several alternatives, or unknown if there are too many. */
export const anyOf = (...alternatives: readonly PossibleFolders[]): PossibleFolders => {
  if (alternatives.every((folders) => folders === alternatives[0])) return alternatives[0] ?? []
  const all = [...new Set(alternatives.flat())]
  return all.length > 4 ? [undefined] : all
}

/** The outcome if either of two may apply. */
export const anyOutcome = (one: CommandOutcome, other: CommandOutcome): CommandOutcome => ({
  success: anyOf(one.success, other.success),
  failure: anyOf(one.failure, other.failure),
})

/** The folders after a command, regardless of success. */
export const foldersAfter = (outcome: CommandOutcome): PossibleFolders =>
  anyOf(outcome.success, outcome.failure)

/** True if two lists contain the same folders. */
export const sameFolders = (one: PossibleFolders, other: PossibleFolders): boolean =>
  one.length === other.length && one.every((folder) => other.includes(folder))

/** The folder after `cd target`, from each folder. */
export const foldersAfterCd = (
  folders: PossibleFolders,
  target: string | undefined,
): PossibleFolders =>
  anyOf(folders.map((folder) => (target === undefined ? undefined : join(folder, target))))

/**
 * An absolute path without `.` and `..`, as computed by the shell, which does not resolve links.
 */
function join(folder: string | undefined, path: string): string | undefined {
  if (!path.startsWith('/') && folder === undefined) return undefined
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/**
 * A possible change by a command. Lookups during the decision (the content of a folder, its
 * repository) are valid only until a command changes something. Unless a command is listed as
 * harmless, it may change anything.
 */
export interface Change {
  /** The command's position in the text. */
  readonly at: number
  /**
   * The position from which the change may have happened: the start of the surrounding loop or
   * pipeline, if any.
   */
  readonly from: number
  /** True if the change may happen again before the same command runs the next time. */
  readonly repeats: boolean
  /**
   * True if files or folders may have been replaced with links, so that paths may lead elsewhere.
   */
  readonly fills: boolean
  /**
   * Set if it makes git track folders that may be separate repositories, by name or as part of a
   * commit, or if it commits them.
   */
  readonly tracks?: 'adds' | 'checks-out' | 'commits'
}

/** The changes that a shell command may make. */
export interface Changes {
  readonly list: readonly Change[]
  /** True if parts of the text run concurrently, so that a change may precede any command. */
  readonly concurrent: boolean
}

export const NO_CHANGES: Changes = { list: [], concurrent: false }

/** The position of a command in the text that runs. */
export interface Place {
  readonly at: number
  readonly end: number
  /** The start of the outermost surrounding loop or pipeline. */
  readonly group: number | undefined
  readonly repeats: boolean
}

/**
 * Information that may be outdated when a command runs: the content of folders, or also the targets
 * of paths.
 */
export type Stale = 'listing' | 'path'

/**
 * The information that may be outdated at a place, or undefined if nothing has changed before it.
 */
export function staleAt(changes: Changes, place: Place, isApart: boolean): Stale | undefined {
  if (changes.list.length === 0) return isApart ? 'listing' : undefined
  const before = changesBefore(changes, place, isApart)
  if (before.some(({ fills }) => fills)) return 'path'
  return isApart || before.length > 0 ? 'listing' : undefined
}

/** The changes that may precede the command at a place. A command does not precede itself. */
export function changesBefore(changes: Changes, place: Place, isApart: boolean): readonly Change[] {
  const known = isApart ? undefined : found.get(place)
  if (known?.changes === changes) return known.before
  const { at, end } = place
  const before = changes.list.filter((change) => {
    const isOwn = change.at === at && !change.repeats && !isApart
    return !isOwn && (changes.concurrent || change.from < end)
  })
  if (!isApart) found.set(place, { changes, before })
  return before
}

/** Cached, because each command needs the result several times. */
const found = new WeakMap<
  Place,
  { readonly changes: Changes; readonly before: readonly Change[] }
>()

/**
 * Both lists of changes combined. Returns the first object unchanged if the second adds nothing.
 */
export function withChanges(known: Changes, found: Changes): Changes {
  const concurrent = known.concurrent || found.concurrent
  const others = found.list.filter(
    (change) =>
      !known.list.some(
        (each) =>
          each.at === change.at &&
          each.from === change.from &&
          each.repeats === change.repeats &&
          each.fills === change.fills &&
          each.tracks === change.tracks,
      ),
  )
  if (others.length === 0 && concurrent === known.concurrent) return known
  return { list: [...known.list, ...others], concurrent }
}
