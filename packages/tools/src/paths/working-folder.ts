import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ToolError } from '@toolglot/agent'
import { isInside, realRoots } from './inside.ts'

/** Where a folder really is, if it exists and is inside one of the roots; else why not. */
export async function resolveInside(
  folder: string,
  from: string,
  roots: readonly string[],
): Promise<
  { readonly folder: string } | { readonly problem: 'missing' | 'no folder' | 'outside' }
> {
  let real
  try {
    real = await realpath(resolve(from, folder))
    if (!(await stat(real)).isDirectory()) return { problem: 'no folder' }
  } catch {
    return { problem: 'missing' } // Or it may not be looked at, which is the same to us.
  }
  const reals = await realRoots(roots)
  return reals.some((root) => isInside(real, root)) ? { folder: real } : { problem: 'outside' }
}

/** The folder a command is started in: the one that is asked for, or the one where the last ended. */
export async function resolveStartFolder(
  folder: string | undefined,
  cwd: string,
  roots: readonly string[],
): Promise<string> {
  const found = await resolveInside(folder ?? '.', cwd, roots)
  if ('folder' in found) return found.folder
  const type = found.problem === 'outside' ? 'permission_denied' : 'not_found'
  const message = `Expected cwd to be a folder in ${roots.join(', ')}; ${folder ?? cwd} is ${FOLDER_PROBLEMS[found.problem]}.`
  throw new ToolError(type, message, { code: 'cwd', cwd: folder ?? cwd })
}

/** What is wrong with a folder, in words. */
export const FOLDER_PROBLEMS = {
  missing: 'not there',
  'no folder': 'no folder',
  outside: 'outside the workspace',
}
