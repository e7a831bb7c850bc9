import type {
  FileSystemView,
  FolderEntry,
  ListOptions,
  Repository,
  TemporaryMount,
} from './file-system.ts'

/** The lookups of a decision. Each returns at once: undefined if the answer is unknown, or has not been looked up yet. */
export interface LookUps {
  /** The entries of a folder, which must be a real path. Of folders with one of the names in `without`, only they themselves. */
  readonly listed: (
    folder: string,
    deep: boolean,
    without?: readonly string[],
  ) => readonly FolderEntry[] | undefined
  /** The repository that a folder belongs to. */
  readonly repositoryOf: (folder: string) => Repository | undefined
  /** The temporary folders of commands that a sandbox holds. */
  readonly temporaryMounts: () => readonly TemporaryMount[] | undefined
}

/** A file system in which folders may be looked up. Without that, whatever depends on them needs approval. */
export type SearchableFileSystem = FileSystemView & Partial<LookUps>

/** All folders that one decision lists have at most this many entries; with more, it asks. */
export const MAX_ENTRIES = 20_000

/** A decision that still wants to look something up after this many times asks. */
const MAX_TIMES = 12

/**
 * Judges, looks up the folders that this asked for, and judges again until nothing is missing. So judging stays a function
 * that returns at once, and only this waits for the disk. `whenUnknown` makes a result safe for which not all could be looked up.
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
        // Most decisions look up one thing, if any: judging all else without it would be in vain.
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
    // An unanswered lookup may have been taken for a missing file.
    if (result && times > MAX_TIMES) return whenUnknown(result.value)
    // One after another: they share the number of entries that is left.
    for (const [key, read] of wanted) known.set(key, await read().catch(() => undefined))
  }
}

/** The file system as it is for one decision: what was looked up once is not looked up again. */
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

/** Ends a first attempt to judge. */
export class NotYetKnown extends Error {}

/** The function's return value; undefined if it gave up because a lookup is missing. */
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
  // A folder that is too large may have cost as much as all the others together.
  budget.left = entries ? budget.left - entries.length : 0
  // A list of its own: what is found out about it holds for this decision.
  return entries && [...entries]
}
