import type { EachFile } from '../decide/operation.ts'

/** The folders a command may run in, usually one; undefined stands for an unknown folder. */
export type PossibleFolders = readonly (string | undefined)[]

/** Where the shell is after a command, if it succeeded and if it failed, and which file names the command printed. */
export interface CommandOutcome {
  readonly success: PossibleFolders
  readonly failure: PossibleFolders
  /** The file names that it prints; undefined if unknown. */
  readonly names?: PrintedNames
}

/** File names that a command prints. */
export interface PrintedNames {
  readonly paths: readonly string[]
  /** The paths are folders, and the names of files in them are printed. */
  readonly each?: EachFile
  /** Each name ends with a NUL character, not at the end of a line. */
  readonly zero?: boolean
  /** Patterns that the last part of a printed name matches. */
  readonly only?: readonly string[]
}

/** The outcome without the printed names, since more may be printed with them. */
export const withoutPrintedNames = ({ success, failure }: CommandOutcome): CommandOutcome => ({
  success,
  failure,
})

/** The outcome of a command that doesn't change the folder. */
export const staysIn = (folders: PossibleFolders): CommandOutcome => ({
  success: folders,
  failure: folders,
})

/** The folders of several alternatives; unknown if there are too many. */
export const anyOf = (...alternatives: readonly PossibleFolders[]): PossibleFolders => {
  if (alternatives.every((folders) => folders === alternatives[0])) return alternatives[0] ?? []
  const all = [...new Set(alternatives.flat())]
  return all.length > 4 ? [undefined] : all
}

/** The outcome if either of two may have happened. */
export const anyOutcome = (one: CommandOutcome, other: CommandOutcome): CommandOutcome => ({
  success: anyOf(one.success, other.success),
  failure: anyOf(one.failure, other.failure),
})

/** The folders after a command, whether it succeeded or failed. */
export const foldersAfter = (outcome: CommandOutcome): PossibleFolders =>
  anyOf(outcome.success, outcome.failure)

/** Whether two lists contain the same folders. */
export const sameFolders = (one: PossibleFolders, other: PossibleFolders): boolean =>
  one.length === other.length && one.every((folder) => other.includes(folder))

/** Where `cd target` leads from each folder. */
export const foldersAfterCd = (
  folders: PossibleFolders,
  target: string | undefined,
): PossibleFolders =>
  anyOf(folders.map((folder) => (target === undefined ? undefined : join(folder, target))))

/** An absolute path without `.` and `..`, as the shell computes it: links are not resolved. */
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
 * Lookups made when a text is judged (the content of a folder, its repository) are valid only until
 * the text changes something. A command is listed as one that changes nothing, or it may change anything.
 */
export interface Change {
  /** Where the command begins in the text. */
  readonly at: number
  /** From where on the change may have happened: the start of the loop or pipeline around it, if there is one. */
  readonly from: number
  /** It may happen again before the same command runs the next time. */
  readonly repeats: boolean
  /** It may have put links where files or folders were: a path may lead elsewhere. */
  readonly fills: boolean
  /** It makes git track folders that may be repositories of their own, by name or as part of a commit; or it commits them. */
  readonly tracks?: 'adds' | 'checks-out' | 'commits'
}

/** The changes that a text may make. */
export interface Changes {
  readonly list: readonly Change[]
  /** Parts of the text run at the same time, so that a change may come before any command. */
  readonly concurrent: boolean
}

export const NO_CHANGES: Changes = { list: [], concurrent: false }

/** Where a command is in the text that runs. */
export interface Place {
  readonly at: number
  readonly end: number
  /** Where the outermost loop or pipeline around it begins. */
  readonly group: number | undefined
  readonly repeats: boolean
}

/** The facts that may be outdated when a command runs: the content of folders, or also where a path leads. */
export type Stale = 'listing' | 'path'

/** The facts that may be outdated at a place; undefined if nothing has changed until then. */
export function staleAt(changes: Changes, place: Place, isApart: boolean): Stale | undefined {
  if (changes.list.length === 0) return isApart ? 'listing' : undefined
  const before = changesBefore(changes, place, isApart)
  if (before.some(({ fills }) => fills)) return 'path'
  return isApart || before.length > 0 ? 'listing' : undefined
}

/** The changes that may have happened when the command at a place runs. A command does not come before itself. */
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

/** Each command asks several times. */
const found = new WeakMap<
  Place,
  { readonly changes: Changes; readonly before: readonly Change[] }
>()

/** Both changes together; the first ones themselves if there are no others. */
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
