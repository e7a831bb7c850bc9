import { isAbsolute, join, relative, resolve } from 'node:path'
import { type ToolContext, ToolError } from '@toolglot/agent'
import type { FileSystemView, ResultChecks } from '@toolglot/permissions'
import { isInside } from '../paths/inside.ts'

/**
 * Resolves a path argument: `~` is the home directory, and a missing path the working directory.
 */
export function placeFrom(path: string | undefined, { cwd, home }: FileSystemView): string {
  if (path === undefined || path === '') return cwd
  refuseNul('path', path)
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1))
  return resolve(cwd, path)
}

/**
 * Throws if an argument contains NUL: file names can't contain it, and programs may stop reading
 * there.
 */
export function refuseNul(argument: string, text: string): void {
  if (text.includes('\0'))
    throw new ToolError('invalid_input', `${argument} must not contain NUL characters.`)
}

/** The path of a name in a folder; the folder itself if the name is empty. */
export function pathIn(folder: string, name: string): string {
  if (name === '') return folder
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}

/** A path for results: relative if it is inside the working directory, else absolute. */
export function shownPath(path: string, { cwd }: Pick<FileSystemView, 'cwd'>): string {
  if (path.startsWith(`${cwd}/`)) return path.slice(cwd.length + 1)
  const way = relative(cwd, path)
  return way === '' ? '.' : way === '..' || way.startsWith('../') || isAbsolute(way) ? path : way
}

/** Returns true if a path may be shown. If it is missing, all paths may be. */
export type MayShow = ResultChecks['mayShow']

/**
 * Throws if a path, or its real path, may not be shown. Also throws if a path in the workspace
 * resolves to one outside that was not part of the decision: a link may have been swapped in since
 * then.
 */
export function refuseHidden(
  path: string,
  real: string,
  { mayShow = () => true, paths = [] }: Pick<ToolContext, 'mayShow' | 'paths'>,
  fileSystem: Pick<FileSystemView, 'roots' | 'follow'>,
): void {
  const isInWorkspace = (place: string): boolean =>
    fileSystem.roots.some((root) =>
      [root, ...(fileSystem.follow(root) ?? [])].some((each) => isInside(place, each)),
    )
  const isSwapped = !paths.includes(real) && isInWorkspace(path) && !isInWorkspace(real)
  const hidden = isSwapped ? real : [path, real].find((each) => !mayShow(each))
  if (hidden === undefined) return
  throw new ToolError('permission_denied', `${hidden} may not be searched.`, { path: hidden })
}

/**
 * Returns a function that checks if a name below a path may be shown, by that path and by the real
 * one.
 */
export function showableBelow(
  path: string,
  real: string,
  mayShow: MayShow = () => true,
): (name: string) => boolean {
  if (path === real) return (name) => mayShow(pathIn(path, name))
  return (name) => mayShow(pathIn(path, name)) && mayShow(pathIn(real, name))
}

/** Removes problems (`name: message`) about files that may not be shown. */
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
