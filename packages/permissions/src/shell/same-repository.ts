import type { FolderEntry } from '../decide/file-system.ts'
import type { SearchableFileSystem } from '../decide/look-up.ts'
import { isObeyed } from '../path/protected.ts'
import { realPath, isWithin } from '../path/segments.ts'
import type { Stale } from './outcome.ts'
import type { Usage } from './program.ts'

/**
 * Whether a program finds the settings of the workspace in a folder. In a root it does. Below one, a program that obeys what is
 * in its folder may find anything there, such as what was unpacked; so all of that must have come with the repository. A program
 * that obeys only the repository finds that of the root, unless something on the way makes the folder a repository of its own.
 * The folder that the shell is in counts like any other: an earlier command may have moved there. `stale`: what other commands
 * of the text may have changed. Files that programs obey are not among that, unless a command can bring any files: to write one
 * needs approval, and code that can do it without could also run what it likes.
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
  // Without `.git`, git takes a folder with `HEAD` for a bare repository.
  if (roots.includes(folder)) return obeys !== 'repository' || !isBare(folder, fileSystem)
  // Without a workspace there is no other folder to compare with.
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

/** Whether git may take a folder for a bare repository, with settings of its own. */
export const isBare = (
  folder: string,
  { identify }: Pick<SearchableFileSystem, 'identify'>,
): boolean => !identify?.(`${folder}/.git`) && identify?.(`${folder}/HEAD`) !== undefined

/** Whether git also runs in folders with settings of their own: it looks into repositories that it tracks. */
function runsElsewhere(folder: string, fileSystem: SearchableFileSystem): boolean {
  const repository = fileSystem.repositoryOf?.(folder)
  return repository !== undefined && repository.repositories?.length !== 0
}

/**
 * Whether a folder is or contains a repository that may make git run something, besides the one that a root or `top` is.
 * Undefined: unknown. A folder that does not exist contains none.
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

/** The folders that are repositories, by the entries of a folder. A text may ask many times about the same list. */
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
 * Whether git tracks every file in a folder, and in the folders between it and a root. `git add` needs approval for new files
 * that programs obey, so what is tracked came with the repository, or somebody has seen it.
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
        // Settings may be in a folder, such as .cargo. Those whose names are no secret are looked for in a root, too.
        return kind === 'folder' && (deep || !path.startsWith('.') || isTracked(full, true))
      }) ?? false
    )
  }
}

/** The files that programs would obey if git tracked them: `git add` makes it do so. Undefined: they are unknown. */
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
  // If that is unknown, or there is no repository yet, all of them are new.
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

/** The files that programs would obey, by the entries of a folder: a list is made for one decision, which may ask many times. */
const obeyedIn = new WeakMap<readonly FolderEntry[], readonly string[]>()

/** Folders that programs make, and that are rarely tracked: what is in them never counts as part of the repository. */
export const OUTPUT_FOLDERS: readonly string[] = [
  ...['node_modules', 'bower_components', 'target', 'dist', 'build', 'out', 'coverage', '.git'],
  ...['.next', '.nuxt', '.output', '.turbo', '.cache', '.venv', 'venv', '.tox', '__pycache__'],
]

const NONE: readonly string[] = []
const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/** A list of files as a set: a list may be asked about many times. */
export function setOf(files: readonly string[]): ReadonlySet<string> {
  const known = sets.get(files) ?? new Set(files)
  sets.set(files, known)
  return known
}

/** The names on the way from a folder to what is in it. */
const partsOf = (path: string, folder: string): string[] =>
  path
    .slice(folder.length)
    .split('/')
    .filter((name) => name !== '')

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Git takes a folder with one of these for a repository; without `.git`, for a bare one. */
const REPOSITORY = ['.git', 'HEAD']
