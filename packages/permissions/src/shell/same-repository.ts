import type { SearchableFileSystem } from '../decide/look-up.ts'
import type { Usage } from './program.ts'

/**
 * Whether a program finds the settings of the workspace in a folder. In a root it does. Below one, a program that obeys what is
 * in its folder may find anything there: whatever was unpacked, or what git was told to track a moment ago. One that obeys only
 * the repository finds that of the root, unless something on the way makes the folder a repository of its own. The folder
 * that the shell is in counts like any other: an earlier command may have moved there. `isStale`: other commands of the
 * text may have changed what is there.
 */
export function findsOwnSettings(
  folder: string | undefined,
  obeys: NonNullable<Usage['obeys']>,
  fileSystem: SearchableFileSystem,
  isStale: boolean,
): boolean {
  if (folder === undefined) return false
  if (obeys === 'repository' && runsElsewhere(folder, fileSystem)) return false
  const { roots } = fileSystem
  if (roots.includes(folder)) return true
  // Without a workspace there is no other folder to compare with.
  if (roots.length === 0) return folder === fileSystem.cwd
  const real = isStale ? undefined : fileSystem.follow(folder)?.at(-1)
  if (real === undefined) return false
  return roots.some((root) => {
    const top = fileSystem.follow(root)?.at(-1)
    if (top === undefined) return false
    return real === top || (obeys === 'repository' && isPartOf(real, top, fileSystem))
  })
}

/** Whether git also runs in folders with settings of their own: it looks into repositories that it tracks. */
function runsElsewhere(folder: string, fileSystem: SearchableFileSystem): boolean {
  const repository = fileSystem.repositoryOf?.(folder)
  return repository !== undefined && repository.repositories?.length !== 0
}

/**
 * Whether a folder is or contains a repository, besides the one that a root or `top` is. Undefined: unknown. A folder that does
 * not exist contains none.
 */
export function holdsRepository(
  folder: string,
  fileSystem: SearchableFileSystem,
  top?: string,
): boolean | undefined {
  if (fileSystem.identify?.(folder)?.isFolder === false) return false
  const realOf = (path: string): string | undefined => fileSystem.follow(path)?.at(-1)
  const real = realOf(folder)
  if (real === undefined) return undefined
  const isOwn = real === top || fileSystem.roots.some((root) => realOf(root) === real)
  if (!isOwn && fileSystem.identify?.(`${real}/.git`)) return true
  return fileSystem
    .listed?.(real, true)
    ?.some(({ path }) => /\/\.git$/i.test(path) || (!isOwn && /^\.git$/i.test(path)))
}

function isPartOf(folder: string, top: string, fileSystem: SearchableFileSystem): boolean {
  if (!folder.startsWith(`${top === '/' ? '' : top}/`)) return false
  if (fileSystem.identify?.(folder)?.isFolder !== true) return false
  for (let at = folder; at !== top; at = parentOf(at))
    if (REPOSITORY.some((name) => fileSystem.identify?.(`${at}/${name}`) !== undefined))
      return false
  return true
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Git takes a folder with one of these for a repository; without `.git`, for a bare one. */
const REPOSITORY = ['.git', 'HEAD']
