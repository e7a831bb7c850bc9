import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, sep, resolve } from 'node:path'
import { ToolError } from '@toolglot/agent'

/** The real paths of the roots that exist. */
export async function realRoots(roots: readonly string[]): Promise<string[]> {
  const found = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)))
  return found.filter((root) => root !== undefined)
}

/** True if a path is the folder or inside it. */
export function isInside(path: string, folder: string): boolean {
  if (isNormal(path) && isNormal(folder)) return path === folder || path.startsWith(`${folder}/`)
  const relativePath = relative(folder, path)
  return (
    relativePath === '' ||
    (relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath))
  )
}

/** True if an absolute path can be compared without normalizing it, which is much faster. */
function isNormal(path: string): boolean {
  return sep === '/' && path.startsWith('/') && !/\/\.{0,2}(?:\/|$)/.test(path)
}

/** The real path of a folder inside one of the roots, or the problem with it. */
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
    return { problem: 'missing' } // The folder is missing or inaccessible, which makes no difference here.
  }
  const reals = await realRoots(roots)
  return reals.some((root) => isInside(real, root)) ? { folder: real } : { problem: 'outside' }
}

/** The folder in which a command starts: the requested one, or the current one. */
export async function resolveStartFolder(
  folder: string | undefined,
  cwd: string,
  roots: readonly string[],
): Promise<string> {
  const found = await resolveInside(folder ?? '.', cwd, roots)
  if ('folder' in found) return found.folder
  const type = found.problem === 'outside' ? 'permission_denied' : 'not_found'
  const message = `cwd must be a folder in ${roots.join(', ')}; ${folder ?? cwd} ${FOLDER_PROBLEMS[found.problem]}.`
  throw new ToolError(type, message, { code: 'cwd', cwd: folder ?? cwd })
}

/** Problems with a folder, as predicates for messages. */
export const FOLDER_PROBLEMS = {
  missing: 'does not exist',
  'no folder': 'is not a folder',
  outside: 'is outside the workspace',
}
