import { isAbsolute, resolve } from 'node:path'
import type { ReferencePlace } from '../model/find/kinds/kind.ts'

/** The absolute path of a file that a model reference names; or what is wrong with it. */
export function referencePath(
  given: string,
  { cwd, home }: ReferencePlace,
): { readonly path: string } | { readonly problem: string } {
  if (given.trim() === '') return { problem: 'add the path of the file' }
  if (given.includes('\0')) return { problem: 'remove the null character' }
  const isInHome = /^~[/\\]/.test(given)
  const start = isInHome ? home : isAbsolute(given) ? '' : cwd
  if (start === undefined) return { problem: 'write the whole path' }
  return { path: resolve(start, isInHome ? given.slice(2) : given) }
}
