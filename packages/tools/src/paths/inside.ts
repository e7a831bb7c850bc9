import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'

/** The real paths of the roots that exist. */
export async function realRoots(roots: readonly string[]): Promise<string[]> {
  const found = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)))
  return found.filter((root) => root !== undefined)
}

/** Whether a path is a folder or inside it. */
export function isInside(path: string, folder: string): boolean {
  if (isNormal(path) && isNormal(folder)) return path === folder || path.startsWith(`${folder}/`)
  const relativePath = relative(folder, path)
  return (
    relativePath === '' ||
    (relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath))
  )
}

/** Whether an absolute path can be compared as it is written: that is much faster. */
function isNormal(path: string): boolean {
  return sep === '/' && path.startsWith('/') && !/\/\.{0,2}(?:\/|$)/.test(path)
}
