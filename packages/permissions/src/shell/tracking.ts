import { realPath } from '../path/segments.ts'
import type { Argument } from './option.ts'
import { foldersAfterCd, type PossibleFolders } from './outcome.ts'
import type { Usage } from './program.ts'
import { hasOption } from './reach.ts'
import { holdsRepository, obeyedIfTracked, setOf } from './same-repository.ts'
import { staleIn, type Scope } from './scope.ts'
import type { FolderEntry } from '../decide/file-system.ts'

/** The files that a command makes git track. */
interface Tracking {
  /** Reasons why this needs approval. */
  readonly doubts: readonly string[]
  /** True if it includes a separate repository, in which git then runs. Undefined if unknown. */
  readonly addsOther: boolean | undefined
}

/**
 * The files that a git command makes git track, or commits that it fetches. Other programs don't
 * affect tracking.
 */
export function trackedBy(given: readonly Argument[], usage: Usage, scope: Scope): Tracking {
  if (!usage.tracks && !usage.commitsNew && !usage.imports) return NOTHING
  const added = usage.tracks === 'adds' ? addedBy(given, usage, scope) : []
  const addsOther = addsRepository(added, scope)
  const stored = hasOption(given, usage.commitsNew, usage) ? addedBy([], usage, scope) : added
  const doubts = [
    ...(addsOther ? ['adds another repository, in which git then runs'] : []),
    ...newlyObeyed(stored, scope),
    ...(usage.imports && !importsFromRemote(given, usage, scope)
      ? ['brings commits that are not from a remote of the repository, which programs would obey']
      : []),
  ]
  return { doubts, addsOther }
}

const NOTHING: Tracking = { doubts: [], addsOther: false }

/**
 * The top folders of the repositories that a command runs in. If another command may have moved
 * them, these are all workspace folders.
 */
export const topsOf = (scope: Scope): PossibleFolders => {
  const { folders, fileSystem } = scope
  return folders.flatMap((folder) => {
    const real = folder === undefined ? undefined : realPath(folder, fileSystem)
    const top = real === undefined ? undefined : fileSystem.repositoryOf?.(real)?.root
    return top === undefined || staleIn(scope) ? [...fileSystem.roots, top ?? folder] : [top]
  })
}

/** A path that git is told to track, or a path around it. Undefined if unknown. */
interface Added {
  readonly path: string | undefined
  /** The top of the repository. */
  readonly top: string | undefined
}

/**
 * The files that the command tells git to track. A pattern may match any file, and without operands
 * every file is added.
 */
function addedBy(
  given: readonly Argument[],
  usage: Usage,
  { folders, fileSystem }: Scope,
): readonly Added[] {
  if (hasOption(given, '-u --update', usage)) return []
  const named = given.flatMap(({ type, value }) => (type === 'operand' ? [value] : []))
  return folders.flatMap((folder) => {
    const top = folder && fileSystem.repositoryOf?.(folder)?.root
    return (named.length > 0 ? named : [undefined]).map((path) => {
      const isAnything = path === undefined || /[*?[\\:]/.test(path)
      const [added] = isAnything ? [top ?? folder] : foldersAfterCd([folder], path)
      return { path: added, top }
    })
  })
}

/**
 * True if git is told to track a separate repository, in which it then runs. Undefined if unknown.
 */
function addsRepository(added: readonly Added[], scope: Scope): boolean | undefined {
  const found = added.map(({ path, top }) =>
    path === undefined ? undefined : holdsRepository(path, scope.fileSystem, top),
  )
  if (found.includes(true)) return true
  return staleIn(scope) || found.includes(undefined) ? undefined : false
}

/**
 * Reasons why tracking these files needs approval: programs would then apply them as if they were
 * part of the repository.
 */
function newlyObeyed(added: readonly Added[], scope: Scope): readonly string[] {
  // No other change adds files that programs apply, since writing such files needs approval.
  const isSure = staleIn(scope) !== 'path'
  for (const { path } of added) {
    const found = path && isSure ? obeyedIfTracked(path, scope.fileSystem) : undefined
    if (!found) return ['makes git track files, not all of which can be checked']
    if (found[0] !== undefined) return [`makes git track ${found[0]}, which programs obey`]
  }
  return []
}

/**
 * True if git fetches commits only from remotes in the repository's settings. Any other address or
 * path may be a repository prepared by an attacker.
 */
function importsFromRemote(given: readonly Argument[], usage: Usage, scope: Scope): boolean {
  const names = given.flatMap((argument) => (argument.type === 'operand' ? [argument.value] : []))
  // Otherwise, only the first name is a remote, and the rest are branches.
  const remotes = hasOption(given, '--multiple', usage) ? names : names.slice(0, 1)
  return remotes.every((name) => name !== undefined && isRemote(name, scope))
}

function isRemote(name: string, scope: Scope): boolean {
  if (!/^\w[\w.-]*$/.test(name)) return false
  // An earlier command may have put a repository there, but hardly under the name of a remote in
  // use.
  if (staleIn(scope) === 'path') return /^(?:origin|upstream)$/.test(name)
  return scope.folders.every(
    (folder) =>
      folder !== undefined &&
      ['', '.git', '.bundle'].every(
        (end) => !scope.fileSystem.identify?.(`${folder}/${name}${end}`),
      ),
  )
}

/**
 * The reason why a program may load a file in its folder in place of a module that it needs:
 * `python3 -m json.tool` runs `argparse.py`. Tracked files came with the repository.
 */
export function loadsOwnModule(
  module: string | undefined,
  given: readonly Argument[],
  usage: Usage,
  scope: Scope,
): string | undefined {
  const { loads } = usage.wrapper ?? {}
  if (!loads || module === undefined || loads.except.test(module)) return undefined
  if (hasOption(given, loads.unless, usage)) return undefined
  const { files, own } = loads
  const isNeeded = own.modules.test(module) ? own.isNeeded : () => true
  const isModule = (name: string, kind: FolderEntry['kind']): boolean =>
    isNeeded(name) && (kind !== 'file' || files.test(name))
  for (const folder of scope.folders) {
    const isKnown = folder !== undefined && !staleIn(scope)
    const found = isKnown ? newModuleIn(folder, isModule, scope) : UNKNOWN
    if (found !== undefined) return `may load ${found} in place of a module that it needs`
  }
  return undefined
}

const UNKNOWN = 'a file of its folder'

/**
 * The first untracked module in a folder: a file, or a folder with a file such as `__init__.py`.
 */
function newModuleIn(
  folder: string,
  isModule: (name: string, kind: FolderEntry['kind']) => boolean,
  { fileSystem }: Scope,
): string | undefined {
  const entries = fileSystem.listed?.(folder, false)
  if (!entries) return UNKNOWN
  const repository = fileSystem.repositoryOf?.(folder)
  const isTracked = (path: string): boolean => {
    const full = `${folder}/${path}`
    if (!repository?.files || !full.startsWith(`${repository.root}/`)) return false
    return setOf(repository.files).has(full.slice(repository.root.length + 1))
  }
  for (const { path, kind } of entries) {
    if (!isModule(path, kind)) continue
    // A link may lead anywhere.
    if (kind === 'link') return path
    const inside = kind === 'file' ? [] : fileSystem.listed?.(`${folder}/${path}`, false)
    if (!inside) return UNKNOWN
    const initial = inside.flatMap((each) =>
      each.path.startsWith('__init__.') ? [`${path}/${each.path}`] : [],
    )
    const found = (kind === 'file' ? [path] : initial).find((each) => !isTracked(each))
    if (found !== undefined) return found
  }
  return undefined
}
