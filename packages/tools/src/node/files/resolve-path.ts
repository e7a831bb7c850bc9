import { basename, dirname, isAbsolute, resolve, sep } from 'node:path'
import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type { AllowedPaths } from '../../host/files.ts'
import { isInside } from '../../paths/inside.ts'
import { errorCodeOf, type FileSystemCalls } from './file-system-calls.ts'

/** The target of a path. */
export interface ResolvedPath {
  /** The real path, or the one it would have if it existed. */
  readonly path: string
  readonly exists: boolean
  /**
   * The real path of the innermost existing folder, and the missing names below it, ending with the
   * file's name.
   */
  readonly folder: string
  readonly names: readonly string[]
}

/** Resolves a path as the system does, and throws if the result is not allowed. */
export async function resolveAllowed(
  fs: FileSystemCalls,
  fileSystem: FileSystemView,
  path: string,
  allowed: AllowedPaths = {},
): Promise<ResolvedPath> {
  if (path === '') throw new ToolError('invalid_input', 'The path is empty.')
  // The path is not normalized: after a link, `..` is the parent of the link's target.
  const spelled = isAbsolute(path) ? path : `${fileSystem.cwd}/${path}`
  const place = await resolveLinks(fs, spelled)
  if (await isAllowed(fs, fileSystem, spelled, place.path, allowed)) return place
  const where = allowed.paths ? 'to a file that was not permitted' : 'out of the workspace'
  throw new ToolError(
    'permission_denied',
    `${path} leads ${where}: ${place.path}. To use that file, pass that path.`,
    { code: 'leads_elsewhere', path, real_path: place.path },
  )
}

async function resolveLinks(fs: FileSystemCalls, spelled: string): Promise<ResolvedPath> {
  const real = await realPath(fs, spelled)
  if (real !== undefined)
    return { path: real, exists: true, folder: dirname(real), names: [basename(real)] }

  const names: string[] = []
  for (let rest = spelled; ; rest = dirname(rest)) {
    const name = basename(rest)
    if (name === '..' || name === '.' || rest === dirname(rest))
      throw new ToolError('not_found', `${spelled}: a folder in this path does not exist.`)
    if (await isLink(fs, rest))
      throw new ToolError('not_found', `${rest} is a dangling link.`, {
        code: 'dangling_link',
        path: rest,
      })
    names.unshift(name)
    const folder = await realPath(fs, dirname(rest))
    if (folder !== undefined)
      return { path: [folder, ...names].join(sep).replace('//', '/'), exists: false, folder, names }
  }
}

async function realPath(fs: FileSystemCalls, path: string): Promise<string | undefined> {
  try {
    return await fs.realpath(path)
  } catch (error) {
    // The path is missing, which the caller handles.
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function isLink(fs: FileSystemCalls, path: string): Promise<boolean> {
  try {
    return (await fs.lstat(path)).isSymbolicLink()
  } catch (error) {
    // Missing, so not a link.
    if (errorCodeOf(error) === 'ENOENT') return false
    throw error
  }
}

async function isAllowed(
  fs: FileSystemCalls,
  fileSystem: FileSystemView,
  spelled: string,
  real: string,
  { paths }: AllowedPaths,
): Promise<boolean> {
  if (paths) return paths.includes(real)
  if (fileSystem.roots.some((root) => isInside(real, root))) return true
  const roots: string[] = []
  for (const root of fileSystem.roots) roots.push((await realPath(fs, root)) ?? root)
  if (roots.some((root) => isInside(real, root))) return true
  // Outside the workspace, only paths that are spelled as outside are accepted: those were part of
  // the decision.
  const named = resolve(spelled)
  return ![...fileSystem.roots, ...roots].some((root) => isInside(named, root))
}
