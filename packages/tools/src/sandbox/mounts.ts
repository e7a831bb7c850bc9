import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep, resolve } from 'node:path'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { isInside } from '../paths/inside.ts'
import { isInAny } from '../paths/programs.ts'
import { type Shown, toolchains } from './toolchains.ts'
import type { Policy } from './sandbox.ts'

/**
 * The system folders that commands can read. All other folders, such as /home and /mnt, are
 * missing.
 */
const SYSTEM: readonly string[] = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/etc', '/opt', '/var', '/nix', '/gnu', '/snap', '/sys'],
]

/**
 * Programs on some systems, and name resolution. The rest of /run is hidden, because it contains
 * the sockets of other programs.
 */
const NEEDED_IN_RUN = ['/run/current-system', '/run/wrappers', '/run/systemd/resolve']

/**
 * The real paths of the system's temporary folders, which are replaced by a private one for
 * commands.
 */
export function temporaryFolders(): string[] {
  return [...new Set(['/tmp', '/var/tmp'].flatMap(existingRealPath))]
}

function existingRealPath(path: string): string[] {
  try {
    return [realpathSync.native(path)]
  } catch {
    return [] // The path does not exist.
  }
}

/** Throws if a writable folder contains a folder that the sandbox replaces. */
export function refuseTooWide(writable: readonly string[]): void {
  for (const root of writable) {
    const covered = [...temporaryFolders(), '/run', '/dev', '/proc'].find((one) =>
      isInside(one, root),
    )
    if (covered === undefined) continue
    const where = covered === root ? root : `${root}, which contains ${covered}`
    throw new Error(
      `the workspace is ${where}, a shared folder that a sandbox replaces. Work in a subfolder`,
    )
  }
}

/**
 * The bubblewrap options for the files visible to commands: the system, the listed parts of the
 * home folder, a private temporary folder, and the workspace with the repository around it.
 */
export function visibleMounts(policy: Policy, view: View): string[] {
  const { home, privateHome, temporary, writable } = policy
  const places = temporaryFolders()
  const mounts = new Map<string, readonly string[]>()
  const emptyFolders = new Set<string>()
  const hide = (target: string): void => {
    mounts.set(target, ['--tmpfs', target])
    emptyFolders.add(target)
  }
  const add = (kind: string, source: string, target = source): void => {
    // Otherwise, missing parent folders would be created in the private temporary folder.
    for (const folder of places.flatMap((place) => firstFolderTo(target, place)))
      if (!mounts.has(folder)) hide(folder)
    mounts.set(target, [kind, source, target])
    emptyFolders.delete(target)
  }

  for (const path of [...SYSTEM, ...linksInRoot()]) mounts.set(path, systemMount(path))
  if (existsSync('/run')) mounts.set('/run', ['--tmpfs', '/run'])
  for (const path of NEEDED_IN_RUN) add('--ro-bind-try', path)
  for (const place of places) mounts.set(place, ['--bind', temporary, place])
  if (!isHomeOpen(policy)) {
    for (const folder of otherHomes(home)) hide(folder)
    add('--bind', privateHome, home)
  }
  if (policy.homeLink !== undefined) add('--symlink', home, policy.homeLink)
  for (const { source, target } of view.shown) add('--ro-bind', source, target)
  if (!view.isVisible(policy.state)) for (const log of policy.logs) add('--ro-bind-try', log)
  for (const path of writable) add('--bind', path)
  // A mount hides earlier ones inside its path, so outer folders come first.
  const ordered = [...mounts].sort(([one], [other]) => one.length - other.length)
  return [
    ...ordered.flatMap(([, args]) => args),
    ...[...emptyFolders].flatMap((path) => ['--remount-ro', path]),
  ]
}

/** Links such as /home to /var/home. */
function linksInRoot(): string[] {
  return readdirSync('/', { withFileTypes: true }).flatMap((entry) =>
    entry.isSymbolicLink() ? [`/${entry.name}`] : [],
  )
}

/**
 * The bubblewrap options that hide our own state, by any path, except for logs. They cover all
 * other mounts.
 */
export function stateMounts({ state, logs }: Policy, view: View): string[] {
  const aliases = view.shown.flatMap(({ source, target }) =>
    source !== target && isInside(state, source) ? [join(target, relative(source, state))] : [],
  )
  const isVisible = view.isVisible(state)
  const hidden = [...(isVisible ? [state] : []), ...aliases]
  return [
    ...hidden.flatMap((path) => ['--tmpfs', path]),
    ...(isVisible ? logs.flatMap((log) => ['--ro-bind-try', log, log]) : []),
    ...hidden.flatMap((path) => ['--remount-ro', path]),
  ]
}

function systemMount(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return []
  return found.isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path]
}

/** True if the home folder is in the workspace or doesn't exist. */
export function isHomeOpen({ home, writable }: Pick<Policy, 'home' | 'writable'>): boolean {
  return home === '/' || writable.some((root) => isInside(home, root))
}

/**
 * The folder with all home folders, if it is inside a system folder that commands can read:
 * `/var/home`.
 */
function otherHomes(home: string): string[] {
  const folder = dirname(home)
  return basename(folder) === 'home' && isInAnyOf(folder, SYSTEM) ? [folder] : []
}

/** The files visible to commands. */
interface View {
  /** Folders and files outside the system and the workspace. */
  readonly shown: readonly Shown[]
  /** True if commands see the real contents of a path. */
  readonly isVisible: (path: string) => boolean
}

/**
 * Collects the files visible to commands: the system, the workspace, the repositories around it,
 * toolchains, and paths from the user's settings.
 */
export function viewFor(policy: Policy): View {
  const { home, writable, readable } = policy
  const homes = isHomeOpen(policy) ? [] : [home, ...otherHomes(home)]
  const replaced = [...temporaryFolders(), ...homes]
  const isOfSystem = (path: string): boolean =>
    isInAnyOf(path, SYSTEM) && !isInAnyOf(path, replaced)
  const named = readable.flatMap((target) =>
    isInAny(target, writable) ? [] : existingRealPath(target).map((source) => ({ source, target })),
  )
  const around = repositoriesAround(writable, home).map((path) => ({ source: path, target: path }))
  const shown = [...toolchains(policy), ...around, ...named].filter(
    ({ target }) => !isInAnyOf(target, writable) && !isOfSystem(target),
  )
  const folders = [...writable, ...shown.map(({ target }) => target)]
  return { shown, isVisible: (path) => isInAnyOf(path, folders) || isOfSystem(path) }
}

const isInAnyOf = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isInside(path, folder))

/** The repositories that contain writable folders, and the git folders that these share. */
function repositoriesAround(writable: readonly string[], home: string): string[] {
  const found = writable.flatMap((root) => {
    const { top, common } = repositoryOf(root) ?? {}
    // A repository that contains the home folder is unrelated to the workspace.
    return top === undefined || common === undefined || isInside(home, top) ? [] : [top, common]
  })
  return [...new Set(found)]
}

/** The topmost folder between `place` and a path below it, if there is one. */
function firstFolderTo(path: string, place: string): string[] {
  const names = relative(place, path).split(sep)
  return isInside(path, place) && names.length > 1 ? [join(place, names[0]!)] : []
}

/** The git repository that contains a folder. */
interface Repository {
  /** The top folder of the worktree. */
  readonly top: string
  /** The git folder that all worktrees share. */
  readonly common: string
}

/**
 * Finds the repository of a folder. Git is not run, because the repository's settings could make it
 * run programs.
 */
export function repositoryOf(folder: string): Repository | undefined {
  for (let top = folder; ; top = dirname(top)) {
    const common = commonFolderOf(join(top, '.git'))
    if (common !== undefined) return { top, common }
    if (top === dirname(top)) return undefined
  }
}

/**
 * The git folder of a working tree, or undefined if `git` isn't one. A working tree can refer to
 * any other folder, so that folder must refer back to the working tree.
 */
function commonFolderOf(git: string): string | undefined {
  try {
    const found = lstatSync(git)
    if (found.isDirectory())
      return isWhole(git) && !exists(join(git, 'commondir')) ? git : undefined
    if (!found.isFile()) return undefined
    const own = realpathSync.native(
      resolve(dirname(git), readTrimmed(git).replace(/^gitdir: /, '')),
    )
    const [, tree] = /^\s*worktree = (.*)$/m.exec(readTrimmed(join(own, 'config'))) ?? []
    const isSubmodule = tree !== undefined
    const back = isSubmodule ? join(resolve(own, tree), '.git') : readTrimmed(join(own, 'gitdir'))
    const common = isSubmodule ? own : resolve(own, '../..')
    const isLinked = isSubmodule || join(common, 'worktrees', basename(own)) === own
    if (!isLinked || !exists(back) || realpathSync.native(back) !== realpathSync.native(git))
      return undefined
    return isWhole(common) ? common : undefined
  } catch {
    return undefined // The git folder is missing.
  }
}

const isWhole = (git: string): boolean =>
  ['HEAD', 'objects', 'refs'].every((name) => exists(join(git, name)))

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function readTrimmed(file: string): string {
  return readSmallFile(file)?.trim() ?? ''
}
