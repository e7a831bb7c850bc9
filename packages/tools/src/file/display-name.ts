import { isAbsolute, join } from 'node:path'
import type { FileSystemView } from '@toolglot/permissions'

/** A path as messages show it: relative to the working directory if it is inside, else absolute. */
export function displayName(path: string, { cwd }: FileSystemView): string {
  const absolute = isAbsolute(path) ? path : join(cwd, path)
  return absolute.startsWith(`${cwd}/`) ? absolute.slice(cwd.length + 1) : absolute
}
