import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ToolError } from '@toolglot/agent'
import { isInside, realRoots } from './inside.ts'

/** The real path of a folder inside one of the roots, or what is wrong with it. */
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
    return { problem: 'missing' } // Or not accessible, which makes no difference here.
  }
  const reals = await realRoots(roots)
  return reals.some((root) => isInside(real, root)) ? { folder: real } : { problem: 'outside' }
}

/** The folder to start a command in: the requested one, or the current one. */
export async function resolveStartFolder(
  folder: string | undefined,
  cwd: string,
  roots: readonly string[],
): Promise<string> {
  const found = await resolveInside(folder ?? '.', cwd, roots)
  if ('folder' in found) return found.folder
  const type = found.problem === 'outside' ? 'permission_denied' : 'not_found'
  const message = `Expected cwd to be a folder in ${roots.join(', ')}; ${folder ?? cwd} ${FOLDER_PROBLEMS[found.problem]}.`
  throw new ToolError(type, message, { code: 'cwd', cwd: folder ?? cwd })
}

/** What is wrong with a folder, as a predicate. */
export const FOLDER_PROBLEMS = {
  missing: 'does not exist',
  'no folder': 'is not a folder',
  outside: 'is outside the workspace',
}
