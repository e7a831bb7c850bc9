import type { SearchableFileSystem } from '../decide/look-up.ts'

/**
 * Whether a program that reads settings from its folder reads those of the same repository there as in the working folder: the
 * folder is below it, contains files that git tracks, and nothing on the way makes it a repository of its own. Whoever can
 * change settings there can change those of the working folder too, so a rule for the command covers it.
 */
export function isSameRepository(
  folder: string | undefined,
  fileSystem: SearchableFileSystem,
): boolean {
  const { cwd, follow, identify, repositoryHere } = fileSystem
  if (folder === cwd) return true
  if (folder === undefined || !identify) return false
  const [top, real] = [follow(cwd)?.at(-1), follow(folder)?.at(-1)]
  if (top === undefined || real === undefined) return false
  if (real === top) return true
  if (!real.startsWith(`${top}/`)) return false
  for (let at = real; at !== top; at = at.slice(0, at.lastIndexOf('/')))
    if (REPOSITORY.some((name) => identify(`${at}/${name}`) !== undefined)) return false
  const repository = repositoryHere?.()
  if (!repository || !`${real}/`.startsWith(`${repository.root}/`)) return false
  const inside = `${real.slice(repository.root.length + 1)}/`
  if (repository.files.some((path) => path.startsWith(inside))) return true
  // In an empty folder, programs find the settings of the folder around it.
  const isEmpty = fileSystem.listed?.(real, false)?.length === 0
  return isEmpty && isSameRepository(real.slice(0, real.lastIndexOf('/')), fileSystem)
}

/** Git takes a folder with one of these for a repository; without `.git`, for a bare one. */
const REPOSITORY = ['.git', 'HEAD']
