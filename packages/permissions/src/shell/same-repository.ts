import type { FolderEntry } from '../decide/file-system.ts'
import type { SearchableFileSystem } from '../decide/look-up.ts'
import { isObeyed } from '../path/protected.ts'
import { realPath, isWithin } from '../path/segments.ts'
import type { Stale } from './outcome.ts'
import type { Usage } from './program.ts'

/**
 * True if a program uses the workspace's own settings in a folder, as it does in a root. In any
 * other folder, a program that applies files in its folder may find arbitrary ones, such as
 * unpacked files, so all of them must be part of the repository. A program that applies only the
 * repository's settings uses the root's, unless a folder in between is a separate repository. The
 * shell's current folder gets no special treatment, since an earlier command may have changed to
 * it. `stale` is the information that other commands in the text may have changed. Files that
 * programs apply are not included, unless a command can bring in arbitrary files: writing such a
 * file needs approval, and code that can write one without approval could run anything.
 */
export function findsOwnSettings(
  folder: string | undefined,
  obeys: NonNullable<Usage['obeys']>,
  fileSystem: SearchableFileSystem,
  stale: Stale | undefined,
): boolean {
  if (folder === undefined) return false
  if (obeys === 'repository' && runsElsewhere(folder, fileSystem)) return false
  const { roots } = fileSystem
  // Without `.git`, git treats a folder with `HEAD` as a bare repository.
  if (roots.includes(folder)) return obeys !== 'repository' || !isBare(folder, fileSystem)
  // Without a workspace, only the current folder qualifies.
  if (roots.length === 0) return folder === fileSystem.cwd
  const isSure = obeys === 'repository' ? stale === undefined : stale !== 'path'
  const real = isSure ? realPath(folder, fileSystem) : undefined
  if (real === undefined) return false
  return roots.some((root) => {
    const top = realPath(root, fileSystem)
    if (top === undefined) return false
    if (real === top) return true
    if (obeys === 'any') return false
    if (!isPartOf(real, top, fileSystem)) return false
    return obeys === 'repository' || isAllTracked(real, top, fileSystem)
  })
}

/** True if git may treat a folder as a bare repository with its own settings. */
export const isBare = (
  folder: string,
  { identify }: Pick<SearchableFileSystem, 'identify'>,
): boolean => !identify?.(`${folder}/.git`) && identify?.(`${folder}/HEAD`) !== undefined

/**
 * True if git also runs in folders with their own settings, because it inspects nested repositories
 * that it tracks.
 */
function runsElsewhere(folder: string, fileSystem: SearchableFileSystem): boolean {
  const repository = fileSystem.repositoryOf?.(folder)
  return repository !== undefined && repository.repositories?.length !== 0
}

/**
 * True if a folder is or contains a repository (other than that of a root or of `top`) that may
 * make git run something. Undefined if unknown. A folder that does not exist contains none.
 */
export function holdsRepository(
  folder: string,
  fileSystem: SearchableFileSystem,
  top?: string,
): boolean | undefined {
  if (fileSystem.identify?.(folder)?.isFolder === false) return false
  const real = realPath(folder, fileSystem)
  if (real === undefined) return undefined
  const isOwn = real === top || fileSystem.roots.some((root) => realPath(root, fileSystem) === real)
  const isPlain = (inner: string): boolean => {
    const repository = fileSystem.repositoryOf?.(inner)
    return repository?.root === inner && repository.isPlain?.() === true
  }
  if (!isOwn && fileSystem.identify?.(`${real}/.git`) && !isPlain(real)) return true
  const entries = fileSystem.listed?.(real, true)
  return entries && repositoriesAmong(entries).some((path) => !isPlain(`${real}/${path}`))
}

/**
 * The folders that are repositories, among the entries of a folder. Cached, since the same list may
 * be needed many times.
 */
function repositoriesAmong(entries: readonly FolderEntry[]): readonly string[] {
  const known =
    repositoriesIn.get(entries) ??
    entries.flatMap(({ path }) => (/\/\.git$/i.test(path) ? [path.slice(0, -5)] : []))
  repositoriesIn.set(entries, known)
  return known
}

const repositoriesIn = new WeakMap<readonly FolderEntry[], readonly string[]>()

function isPartOf(folder: string, top: string, fileSystem: SearchableFileSystem): boolean {
  if (folder === top || !isWithin(folder, top)) return false
  if (fileSystem.identify?.(folder)?.isFolder !== true) return false
  for (let at = folder; at !== top; at = parentOf(at))
    if (REPOSITORY.some((name) => fileSystem.identify?.(`${at}/${name}`) !== undefined))
      return false
  return true
}

/**
 * True if git tracks every file in a folder and in the folders between it and a root. `git add`
 * needs approval for new files that programs apply, so tracked files came with the repository or
 * have been approved.
 */
function isAllTracked(folder: string, top: string, fileSystem: SearchableFileSystem): boolean {
  const repository = fileSystem.repositoryOf?.(folder)
  if (!repository?.files || !isWithin(top, repository.root)) return false
  if (partsOf(folder, top).some((name) => OUTPUT_FOLDERS.includes(name))) return false
  const tracked = setOf(repository.files)
  const { root } = repository
  for (let at = folder; at !== top; at = parentOf(at)) if (!isTracked(at, false)) return false
  return true

  function isTracked(inner: string, deep: boolean): boolean {
    const entries = fileSystem.listed?.(inner, deep)
    return (
      entries?.every(({ path, kind }) => {
        const full = `${inner}/${path}`
        if (kind === 'file') return tracked.has(partsOf(full, root).join('/'))
        // Settings may be in a folder such as .cargo. In a root, folders without secret names are
        // searched too.
        return kind === 'folder' && (deep || !path.startsWith('.') || isTracked(full, true))
      }) ?? false
    )
  }
}

/**
 * The files that programs would apply if git tracked them, which is the effect of `git add`.
 * Undefined if unknown.
 */
export function obeyedIfTracked(
  path: string,
  fileSystem: SearchableFileSystem,
): readonly string[] | undefined {
  const real = realPath(path, fileSystem)
  const found = real === undefined ? undefined : fileSystem.identify?.(real)
  if (real === undefined) return undefined
  const repository = fileSystem.repositoryOf?.(found?.isFolder ? real : parentOf(real))
  const inner = found?.isFolder ? fileSystem.listed?.(real, true, OUTPUT_FOLDERS) : []
  if (!inner) return undefined
  const known = obeyedIn.get(inner)
  if (known) return known
  // If the tracked files are unknown, or there is no repository yet, all files are new.
  const tracked = setOf(repository?.files ?? NONE)
  const tops = fileSystem.roots.flatMap((root) => realPath(root, fileSystem) ?? [])
  const top = tops.find((each) => isWithin(real, each)) ?? ''
  const obeyed = [real, ...inner.map((entry) => `${real}/${entry.path}`)].filter(
    (each) =>
      isObeyed(partsOf(each, top)) &&
      !(repository && tracked.has(partsOf(each, repository.root).join('/'))) &&
      !tops.includes(parentOf(each)),
  )
  obeyedIn.set(inner, obeyed)
  return obeyed
}

/**
 * The files among a folder's entries that programs would apply. Cached, since one decision may need
 * the same list many times.
 */
const obeyedIn = new WeakMap<readonly FolderEntry[], readonly string[]>()

/**
 * Folders with generated files, which are rarely tracked. Their content never counts as part of the
 * repository.
 */
export const OUTPUT_FOLDERS: readonly string[] = [
  ...['node_modules', 'bower_components', 'target', 'dist', 'build', 'out', 'coverage', '.git'],
  ...['.next', '.nuxt', '.output', '.turbo', '.cache', '.venv', 'venv', '.tox', '__pycache__'],
]

const NONE: readonly string[] = []
const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/** A list of files as a set. Cached, since a list may be searched many times. */
export function setOf(files: readonly string[]): ReadonlySet<string> {
  const known = sets.get(files) ?? new Set(files)
  sets.set(files, known)
  return known
}

/** The parts of a path below a folder. */
const partsOf = (path: string, folder: string): string[] =>
  path
    .slice(folder.length)
    .split('/')
    .filter((name) => name !== '')

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/**
 * Entries that make a folder a repository to git. The second one, without `.git`, makes it a bare
 * repository.
 */
const REPOSITORY = ['.git', 'HEAD']
