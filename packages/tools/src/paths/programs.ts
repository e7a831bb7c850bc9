import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { isInside } from './inside.ts'

/** A PATH without folders of the workspace. */
export function pathOutside(path: string, roots: readonly string[]): string {
  return absoluteFolders(path)
    .filter((folder) => !liesIn(folder, roots))
    .join(delimiter)
}

/** The folders of a PATH that say where they are; others mean whichever folder one is in. */
export function absoluteFolders(path: string): string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder))
}

/** The folders of a PATH whose programs came with the workspace, or with whichever folder one is in. */
export function foreignFolders(path: string, roots: readonly string[]): string[] {
  if (path === '') return []
  return path.split(delimiter).filter((folder) => !isAbsolute(folder) || liesIn(folder, roots))
}

/** Where a program of this machine is: what lies in the workspace came with a repository, whatever its name is. */
export function programOnPath(
  name: string,
  path: string,
  roots: readonly string[],
): string | undefined {
  return absoluteFolders(path)
    .map((folder) => join(folder, name))
    .find((program) => isProgram(program) && !liesIn(program, roots))
}

/** Whether a path, or what it leads to, lies in one of these folders. */
export function liesIn(path: string, roots: readonly string[]): boolean {
  const names = [path, realOf(path)]
  const folders = roots.flatMap((root) => [root, realOf(root)])
  return folders.some((folder) => names.some((each) => isInside(each, folder)))
}

/** Where a path leads. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // There is no such thing: it is only a name.
    return path
  }
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // It is not there, or not for us.
    return false
  }
}
