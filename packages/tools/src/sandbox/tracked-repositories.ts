import type { FileSystemView } from '@toolglot/permissions'

/** Folders that git tracks although they are repositories with settings of their own. Wherever it runs around them, it obeys these. */
export function trackedRepositories(fileSystem: FileSystemView): readonly string[] {
  return fileSystem.roots.flatMap((root) => {
    const found = fileSystem.repository?.(root)
    return found?.repositories?.map((name) => `${found.root}/${name}`) ?? []
  })
}

/**
 * What to say if a command has made git track more of them. A sandbox cannot prevent that, since commands must be able to commit,
 * and does not hold what git runs because of it later.
 */
export function noteOnTracked(before: readonly string[], now: readonly string[]): string[] {
  const added = now.filter((path) => !before.includes(path))
  if (added.length === 0) return []
  return [
    `Git now tracks repositories that have settings of their own: ${added.join(', ')}. Outside the sandbox, even git status would obey these settings. Tell the user, and undo it with git rm --cached unless it is intended.`,
  ]
}
