import { isAbsolute, join, relative, resolve } from 'node:path'
import { ToolError, type World } from '@toolglot/agent'

/** The absolute path that an argument means. */
export function placeFrom(path: string | undefined, { cwd, home }: World): string {
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
export function shownPath(path: string, { cwd }: Pick<World, 'cwd'>): string {
  if (path.startsWith(`${cwd}/`)) return path.slice(cwd.length + 1)
  const way = relative(cwd, path)
  return way === '' ? '.' : way === '..' || way.startsWith('../') || isAbsolute(way) ? path : way
}

/** Whether a path may be told of. */
export type Allowed = (path: string) => boolean

/** Refuses a place that may not be told of. What links lead to must be allowed where it really is, too. */
export function refuseDenied(path: string, real: string, allowed: Allowed = () => true): void {
  const denied = [path, real].find((each) => !allowed(each))
  if (denied === undefined) return
  throw new ToolError('permission_denied', `${denied} may not be searched.`, { path: denied })
}

/** Which names below a place may be told of. */
export function allowedBelow(
  path: string,
  real: string,
  allowed: Allowed | undefined,
): (name: string) => boolean {
  if (!allowed) return () => true
  if (path === real) return (name) => allowed(pathIn(path, name))
  return (name) => allowed(pathIn(path, name)) && allowed(pathIn(real, name))
}
