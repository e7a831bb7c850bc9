import { isAbsolute, join } from 'node:path'
import type { FileSystemView } from '@toolglot/permissions'

/** A path as a person calls it: from the folder the work is in, if it lies there. */
export function nameFor(path: string, { cwd }: FileSystemView): string {
  const absolute = isAbsolute(path) ? path : join(cwd, path)
  return absolute.startsWith(`${cwd}/`) ? absolute.slice(cwd.length + 1) : absolute
}
