import { isAbsolute, join, relative, resolve } from 'node:path'
import { type ToolContext, ToolError } from '@toolglot/agent'
import type { ResultChecks, FileSystemView } from '@toolglot/permissions'
import { isInside } from '../paths/inside.ts'

/** The absolute path that an argument means. */
export function placeFrom(path: string | undefined, { cwd, home }: FileSystemView): string {
  if (path === undefined || path === '') return cwd
  refuseNul('path', path)
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1))
  return resolve(cwd, path)
}

/** No name holds NUL; what does is meant to be read differently by someone. */
export function refuseNul(argument: string, text: string): void {
  if (text.includes('\0'))
    throw new ToolError('invalid_input', `Expected ${argument} without NUL characters.`)
}

/** The path of a name in a folder; the place itself, if the name is empty. */
export function pathIn(folder: string, name: string): string {
  if (name === '') return folder
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}

/** A path as it is shown: from the folder calls start in if it lies there, absolute otherwise. */
export function shownPath(path: string, { cwd }: Pick<FileSystemView, 'cwd'>): string {
  if (path.startsWith(`${cwd}/`)) return path.slice(cwd.length + 1)
  const way = relative(cwd, path)
  return way === '' ? '.' : way === '..' || way.startsWith('../') || isAbsolute(way) ? path : way
}

/** Whether a path may be shown; everything may where nothing was decided. */
export type MayShow = ResultChecks['mayShow']

/**
 * Refuses a place that may not be shown, as it is named or where it really is; and one that was named in the workspace and
 * leads out of it, unless that was decided on: a link may have been swapped in since.
 */
export function refuseHidden(
  path: string,
  real: string,
  { mayShow = () => true, paths = [] }: Pick<ToolContext, 'mayShow' | 'paths'>,
  fileSystem: Pick<FileSystemView, 'roots' | 'follow'>,
): void {
  const isOurs = (place: string): boolean =>
    fileSystem.roots.some((root) =>
      [root, ...(fileSystem.follow(root) ?? [])].some((each) => isInside(place, each)),
    )
  const isSwapped = !paths.includes(real) && isOurs(path) && !isOurs(real)
  const hidden = isSwapped ? real : [path, real].find((each) => !mayShow(each))
  if (hidden === undefined) return
  throw new ToolError('permission_denied', `${hidden} may not be searched.`, { path: hidden })
}

/** Which names below a place may be shown. */
export function showableBelow(
  path: string,
  real: string,
  mayShow: MayShow = () => true,
): (name: string) => boolean {
  if (path === real) return (name) => mayShow(pathIn(path, name))
  return (name) => mayShow(pathIn(path, name)) && mayShow(pathIn(real, name))
}

/** Complaints about files, without those that name one that may not be shown: `name: what is wrong`. */
export function showableProblems(
  problems: readonly string[],
  isShowable: (name: string) => boolean,
): readonly string[] {
  return problems.filter((problem) =>
    [...problem.matchAll(/: /g)].every(({ index }) => {
      const name = problem.slice(0, index).replace(/^\.\//, '')
      return name === '' || isShowable(name)
    }),
  )
}
