import type { EachFile } from '../decide/operation.ts'

/** The folders a command may find itself in; undefined: nobody can tell. Mostly one. */
export type PossibleFolders = readonly (string | undefined)[]

/** Where the shell is after a command, if it succeeded and if it failed. */
export interface CommandOutcome {
  readonly success: PossibleFolders
  readonly failure: PossibleFolders
  /** The names of files that it prints; undefined: that cannot be told. */
  readonly names?: PrintedNames
}

/** Names of files that a command prints. */
export interface PrintedNames {
  readonly paths: readonly string[]
  /** It prints those of the files in these folders. */
  readonly each?: EachFile
}

/** The same, but for what it prints: something else may be printed with it. */
export const withoutPrintedNames = ({ success, failure }: CommandOutcome): CommandOutcome => ({ success, failure })

export const staysIn = (folders: PossibleFolders): CommandOutcome => ({ success: folders, failure: folders })

export const anyOf = (...alternatives: readonly PossibleFolders[]): PossibleFolders => {
  if (alternatives.every((folders) => folders === alternatives[0])) return alternatives[0] ?? []
  const all = [...new Set(alternatives.flat())]
  return all.length > 4 ? [undefined] : all
}

/** What may have happened: one outcome, or another. */
export const anyOutcome = (one: CommandOutcome, other: CommandOutcome): CommandOutcome => ({
  success: anyOf(one.success, other.success),
  failure: anyOf(one.failure, other.failure),
})

export const foldersAfter = (outcome: CommandOutcome): PossibleFolders => anyOf(outcome.success, outcome.failure)

export const sameFolders = (one: PossibleFolders, other: PossibleFolders): boolean =>
  one.length === other.length && one.every((folder) => other.includes(folder))

/** Where `cd target` leads from each folder. */
export const foldersAfterCd = (folders: PossibleFolders, target: string | undefined): PossibleFolders =>
  anyOf(folders.map((folder) => (target === undefined ? undefined : join(folder, target))))

/** An absolute path without `.` and `..`, as the shell itself reckons. */
function join(folder: string | undefined, path: string): string | undefined {
  if (!path.startsWith('/') && folder === undefined) return undefined
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
