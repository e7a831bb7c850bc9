import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { isInside } from './inside.ts'

/** A PATH without folders of the workspace. */
export function pathWithoutRoots(path: string, roots: readonly string[]): string {
  return absolutePathFolders(path)
    .filter((folder) => !isInAny(folder, roots))
    .join(delimiter)
}

/** The folders of a PATH that say where they are; others mean whichever folder one is in. */
export function absolutePathFolders(path: string): string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder))
}

/** The folders of a PATH whose programs came with the workspace, or with whichever folder one is in. */
export function untrustedPathFolders(path: string, roots: readonly string[]): string[] {
  if (path === '') return []
  return path.split(delimiter).filter((folder) => !isAbsolute(folder) || isInAny(folder, roots))
}

/** Where a program of this machine is: what lies in the workspace came with a repository, whatever its name is. */
export function findProgramOnPath(
  name: string,
  path: string,
  roots: readonly string[],
): string | undefined {
  return absolutePathFolders(path)
    .map((folder) => join(folder, name))
    .find((program) => isProgram(program) && !isInAny(program, roots))
}

/** Whether a path, or what it leads to, lies in one of these folders. */
export function isInAny(path: string, roots: readonly string[]): boolean {
  const names = [path, realPathOrSelf(path)]
  const folders = roots.flatMap((root) => [root, realPathOrSelf(root)])
  return folders.some((folder) => names.some((each) => isInside(each, folder)))
}

/** Where a path leads. */
export function realPathOrSelf(path: string): string {
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
