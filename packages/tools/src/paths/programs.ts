// Folder: Folders and programs on the machine.
import { accessSync, constants, readlinkSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
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

/** Finds a program on a PATH, but not inside the roots: programs there came with a repository. */
export function findProgramOnPath(
  name: string,
  path: string,
  roots: readonly string[],
): string | undefined {
  return absolutePathFolders(path)
    .map((folder) => join(folder, name))
    .find((program) => isProgram(program) && !isInAny(program, roots))
}

/**
 * True if a path is inside one of the roots, or leads through one: anyone who can write there
 * controls the target.
 */
export function isInAny(path: string, roots: readonly string[]): boolean {
  const steps = [path, ...stepsTo(path), realPathOrSelf(path)]
  const folders = roots.flatMap((root) => [root, realPathOrSelf(root)])
  return folders.some((folder) => steps.some((each) => isInside(each, folder)))
}

/** Each file, folder and link between a path and its target. */
function stepsTo(path: string): string[] {
  const steps: string[] = []
  const names = path.split('/')
  let folder = '/'
  while (names.length > 0 && steps.length < MAX_STEPS) {
    const step = join(folder, names.shift()!)
    const target = step === folder || step === dirname(folder) ? undefined : targetOf(step)
    if (target === undefined) folder = step
    else {
      names.unshift(...target.split('/'))
      if (isAbsolute(target)) folder = '/'
    }
    steps.push(step)
  }
  return steps
}

/** Linux allows paths of 4096 bytes and 40 links. */
const MAX_STEPS = 10_000

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined // The path is not a link.
  }
}

/** The real path, or the path itself if it does not exist. */
export function realPathOrSelf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // The path does not exist.
    return path
  }
}

/** True if a path is an executable file. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Missing or not executable.
    return false
  }
}
