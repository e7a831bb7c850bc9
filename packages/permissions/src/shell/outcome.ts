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
