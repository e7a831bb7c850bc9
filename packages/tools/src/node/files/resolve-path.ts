import { basename, dirname, isAbsolute, resolve, sep } from 'node:path'
import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type { Reach } from '../../host/files.ts'
import { isInside } from '../../paths/inside.ts'
import { codeOf } from './file-error.ts'
import type { System } from './file-system-calls.ts'

/** Where a path leads. */
export interface Place {
  /** The real path, or the one it would have. */
  readonly path: string
  readonly exists: boolean
  /** The real folder that is there already; and the names below it that have to be made, the file's last. */
  readonly folder: string
  readonly names: readonly string[]
}

/** Follows a path as the system does, and refuses one that leads too far. */
export async function placeOf(
  system: System,
  fileSystem: FileSystemView,
  path: string,
  reach: Reach = {},
): Promise<Place> {
  if (path === '') throw new ToolError('invalid_input', 'Expected a path; an empty one came.')
  // Not normalised: behind a link, `..` is the folder above where the link leads.
  const spelled = isAbsolute(path) ? path : `${fileSystem.cwd}/${path}`
  const place = await follow(system, spelled)
  if (await isWithin(system, fileSystem, spelled, place.path, reach)) return place
  const where = reach.paths ? 'somewhere else than was permitted' : 'out of the workspace'
  throw new ToolError(
    'permission_denied',
    `${path} leads ${where}, to ${place.path}. If that file is meant, name it by that path.`,
    { code: 'leads_elsewhere', path, real_path: place.path },
  )
}

async function follow(system: System, spelled: string): Promise<Place> {
  const real = await realPath(system, spelled)
  if (real !== undefined)
    return { path: real, exists: true, folder: dirname(real), names: [basename(real)] }

  const names: string[] = []
  for (let rest = spelled; ; rest = dirname(rest)) {
    const name = basename(rest)
    if (name === '..' || name === '.' || rest === dirname(rest))
      throw new ToolError('not_found', `${spelled}: a folder on the way does not exist.`)
    if (await isLink(system, rest))
      throw new ToolError('not_found', `${rest} is a link that leads nowhere.`, {
        code: 'dangling_link',
        path: rest,
      })
    names.unshift(name)
    const folder = await realPath(system, dirname(rest))
    if (folder !== undefined)
      return { path: [folder, ...names].join(sep).replace('//', '/'), exists: false, folder, names }
  }
}

async function realPath(system: System, path: string): Promise<string | undefined> {
  try {
    return await system.realpath(path)
  } catch (error) {
    // Nothing is there, which the caller wants to know.
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function isLink(system: System, path: string): Promise<boolean> {
  try {
    return (await system.lstat(path)).isSymbolicLink()
  } catch (error) {
    // Nothing is there: no link either.
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

async function isWithin(
  system: System,
  fileSystem: FileSystemView,
  spelled: string,
  real: string,
  { paths }: Reach,
): Promise<boolean> {
  if (paths) return paths.includes(real)
  if (fileSystem.roots.some((root) => isInside(real, root))) return true
  const roots: string[] = []
  for (const root of fileSystem.roots) roots.push((await realPath(system, root)) ?? root)
  if (roots.some((root) => isInside(real, root))) return true
  // Outside, only what was named as outside, so that a decision could be made of it.
  const named = resolve(spelled)
  return ![...fileSystem.roots, ...roots].some((root) => isInside(named, root))
}
