import type {
  FileSystemView,
  FolderEntry,
  ListOptions,
  Repository,
  TemporaryMount,
} from './file-system.ts'

/**
 * The lookups of a decision. Each returns immediately, with undefined if the answer is unknown or
 * has not been looked up yet.
 */
export interface LookUps {
  /**
   * The entries of a folder, which must be a real path. Folders named in `without` are listed
   * without their content.
   */
  readonly listed: (
    folder: string,
    deep: boolean,
    without?: readonly string[],
  ) => readonly FolderEntry[] | undefined
  /** The repository that a folder belongs to. */
  readonly repositoryOf: (folder: string) => Repository | undefined
  /** The temporary folders of commands in a sandbox. */
  readonly temporaryMounts: () => readonly TemporaryMount[] | undefined
}

/**
 * A file system that supports lookups of folders. Without lookups, operations that depend on them
 * need approval.
 */
export type SearchableFileSystem = FileSystemView & Partial<LookUps>

/**
 * The maximum total number of entries that one decision lists. Beyond it, the call needs approval.
 */
export const MAX_ENTRIES = 20_000

/** The maximum number of lookup rounds. A decision that still needs more asks. */
const MAX_TIMES = 12

/**
 * Judges a call, looks up the folders that were needed, and judges again until nothing is missing.
 * So `judge` is synchronous, and only this function waits for the disk. `whenUnknown` makes a
 * result safe if some lookups failed.
 */
export async function judgeWithLookUps<Result>(
  fileSystem: FileSystemView,
  judge: (fileSystem: SearchableFileSystem) => Result,
  whenUnknown: (result: Result) => Result,
): Promise<Result> {
  const same = remembering(fileSystem)
  const repositoryOf = remembered((folder) => fileSystem.repository?.(folder))
  const known = new Map<string, unknown>()
  const budget = { left: MAX_ENTRIES }
  for (let times = 1; ; times++) {
    const wanted = new Map<string, () => Promise<unknown>>()
    const find = <Found>(key: string, read: () => Promise<Found>): Found | undefined => {
      if (!known.has(key)) {
        wanted.set(key, read)
        // Most decisions need one lookup at most, so judging the rest without its answer would be
        // wasted work.
        if (times === 1) throw new NotYetKnown()
      }
      return known.get(key) as Found | undefined
    }
    const lookUps: LookUps = {
      listed: (folder, deep, without = []) =>
        find(`${deep ? 'all' : 'own'} ${without.join(' ')} ${folder}`, () =>
          list(fileSystem, folder, { deep, without }, budget),
        ),
      repositoryOf,
      temporaryMounts: () => find('temporary', async () => fileSystem.temporary?.()),
    }
    const result = attempt(() => judge({ ...same, ...lookUps }))
    if (result && wanted.size === 0) return result.value
    // An unanswered lookup may have been treated as a missing file.
    if (result && times > MAX_TIMES) return whenUnknown(result.value)
    // Sequential, because the lookups share a budget of entries.
    for (const [key, read] of wanted) known.set(key, await read().catch(() => undefined))
  }
}

/** A snapshot of the file system for one decision: nothing is looked up twice. */
function remembering(fileSystem: FileSystemView): FileSystemView {
  return {
    ...fileSystem,
    follow: remembered((path) => fileSystem.follow(path)),
    ...(fileSystem.identify && { identify: remembered((path) => fileSystem.identify?.(path)) }),
    ...(fileSystem.obeyedByGit && {
      obeyedByGit: remembered((folder) => fileSystem.obeyedByGit?.(folder) ?? []),
    }),
  }
}

function remembered<Found>(find: (path: string) => Found): (path: string) => Found {
  const known = new Map<string, Found>()
  return (path) => {
    if (!known.has(path)) known.set(path, find(path))
    return known.get(path) as Found
  }
}

/** Aborts the first attempt to judge. */
export class NotYetKnown extends Error {}

/** The function's return value, or undefined if it was aborted because a lookup is missing. */
function attempt<Value>(make: () => Value): { readonly value: Value } | undefined {
  try {
    return { value: make() }
  } catch (error) {
    if (error instanceof NotYetKnown) return undefined
    throw error
  }
}

async function list(
  fileSystem: FileSystemView,
  folder: string,
  options: Pick<ListOptions, 'deep' | 'without'>,
  budget: { left: number },
): Promise<readonly FolderEntry[] | undefined> {
  const entries = await fileSystem.list?.(folder, { ...options, most: budget.left })
  // A folder that is too large may have used the whole budget.
  budget.left = entries ? budget.left - entries.length : 0
  // A copy, because callers store information about it for this decision.
  return entries && [...entries]
}
