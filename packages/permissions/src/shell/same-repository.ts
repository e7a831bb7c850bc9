import type { SearchableFileSystem } from '../decide/look-up.ts'

/**
 * Whether a program that reads settings from its folder finds those of the workspace there: the folder is a root of the
 * workspace; or it is below one, contains files that the root's repository tracks, and nothing on the way makes it a repository of its
 * own. Whoever can change settings there can change those of the root too, so a rule for the command covers it. The folder
 * that the shell is in counts as any other: an earlier command may have moved there. `isFilled`: a folder that is empty may
 * not be empty any more when the program runs.
 */
export function isSameRepository(
  folder: string | undefined,
  fileSystem: SearchableFileSystem,
  isFilled = true,
): boolean {
  if (folder === undefined) return false
  const { roots } = fileSystem
  if (roots.includes(folder)) return true
  // Without a workspace there is no other folder to compare with.
  if (roots.length === 0) return folder === fileSystem.cwd
  const real = fileSystem.follow(folder)?.at(-1)
  if (real === undefined) return false
  return roots.some((root) => {
    const top = fileSystem.follow(root)?.at(-1)
    return top !== undefined && isPartOf(real, top, fileSystem, isFilled)
  })
}

function isPartOf(
  folder: string,
  top: string,
  fileSystem: SearchableFileSystem,
  isFilled: boolean,
): boolean {
  if (folder === top) return true
  if (!fileSystem.identify || !folder.startsWith(`${top === '/' ? '' : top}/`)) return false
  for (let at = folder; at !== top; at = parentOf(at))
    if (REPOSITORY.some((name) => fileSystem.identify?.(`${at}/${name}`) !== undefined))
      return false
  const repository = fileSystem.repositoryOf?.(top)
  if (!repository || !`${folder}/`.startsWith(`${repository.root}/`)) return false
  const inside = `${folder.slice(repository.root.length + 1)}/`
  if (repository.files.some((path) => path.startsWith(inside))) return true
  // In an empty folder, programs find the settings of the folder around it.
  const isEmpty =
    !isFilled &&
    fileSystem.identify?.(folder)?.isFolder &&
    fileSystem.listed?.(folder, false)?.length === 0
  return isEmpty === true && isPartOf(parentOf(folder), top, fileSystem, isFilled)
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Git takes a folder with one of these for a repository; without `.git`, for a bare one. */
const REPOSITORY = ['.git', 'HEAD']
