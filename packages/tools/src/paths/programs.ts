import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { isInside } from './inside.ts'

/** A PATH without the folders inside the roots. */
export function pathWithoutRoots(path: string, roots: readonly string[]): string {
  return absolutePathFolders(path)
    .filter((folder) => !isInAny(folder, roots))
    .join(delimiter)
}

/** The absolute folders of a PATH. Relative ones depend on the working folder. */
export function absolutePathFolders(path: string): string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder))
}

/** The folders of a PATH whose programs may come from the workspace: those inside the roots, and relative ones. */
export function untrustedPathFolders(path: string, roots: readonly string[]): string[] {
  if (path === '') return []
  return path.split(delimiter).filter((folder) => !isAbsolute(folder) || isInAny(folder, roots))
}

/** Finds a program on a PATH, but not inside the roots: what is there came with a repository. */
export function findProgramOnPath(
  name: string,
  path: string,
  roots: readonly string[],
): string | undefined {
  return absolutePathFolders(path)
    .map((folder) => join(folder, name))
    .find((program) => isProgram(program) && !isInAny(program, roots))
}

/** Whether a path, or what it resolves to, is inside one of the roots. */
export function isInAny(path: string, roots: readonly string[]): boolean {
  const names = [path, realPathOrSelf(path)]
  const folders = roots.flatMap((root) => [root, realPathOrSelf(root)])
  return folders.some((folder) => names.some((each) => isInside(each, folder)))
}

/** The real path, or the path itself if it does not exist. */
export function realPathOrSelf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // It does not exist.
    return path
  }
}

/** Whether a path is an executable file. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Missing or not executable.
    return false
  }
}
