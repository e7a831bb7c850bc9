import { ToolError } from '@toolglot/agent'
import { describeThrown } from '@toolglot/agent/internal'
import type { FileSystemView, NetworkNotice, TemporaryMount } from '@toolglot/permissions'
import type { Storage } from '../host/host.ts'
import type { SandboxName, SandboxReport, StartOptions } from '../host/processes.ts'
import { realRoots } from '../paths/inside.ts'
import { isInAny, realPathOrSelf } from '../paths/programs.ts'
import type { Environment } from '../process/environment.ts'
import { suggestHosts } from './suggest-hosts.ts'
import { type Detected, detectSandbox } from './detect.ts'
import { type Guard, guardFolders, type GuardOptions } from './guard.ts'
import { isHomeOpen, temporaryFolders, viewFor } from './mounts.ts'
import { tryStat } from './protected-entry.ts'
import type { Network, Policy, Sandbox } from './sandbox.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'

/** Options for sandboxing commands. */
export interface SandboxOptions {
  /**
   * The required sandbox; commands fail if it does not work. Default: the best one that works, or
   * none.
   */
  readonly use?: SandboxName | undefined
  readonly network?: Network | undefined
  /** Files and folders that commands may read besides the system, toolchains and the roots. Absolute paths. */
  readonly read?: readonly string[] | undefined
  /** Folders that commands may write to, in addition to the roots. Absolute paths. */
  readonly write?: readonly string[] | undefined
  /**
   * True if the user accepts that a root contains the home folder with all its keys. A folder in
   * `write` that contains the home folder has the same effect.
   */
  readonly exposeHome?: boolean | undefined
}

/** The maximum number of earlier commands' logs that a command can read. */
const MAX_LOGS = 16

/** The sandboxed commands, and their environment. */
export interface SandboxedCommands {
  readonly fileSystem: FileSystemView
  readonly storage: Storage
  readonly environment: Environment
  /** The variables of commands. */
  readonly env: Readonly<Record<string, string>>
  /** The logs of all commands so far. */
  readonly logs: ReadonlySet<string>
  /** The folder in which the next command starts. */
  readonly cwd: () => string
  /** True while a command is running. */
  readonly isBusy: () => boolean
}

/** The sandbox for all commands of a host. */
export interface CommandSandbox {
  /**
   * The sandbox for a command, which may get more network access than other commands. Less network
   * access is preferred to no sandbox.
   */
  hold(
    folder: string,
    allowed: StartOptions['network'],
  ): Promise<{ readonly sandbox: Sandbox; readonly policy: Policy; readonly note?: string }>
  network(command: string): Promise<NetworkNotice | undefined>
  temporary(): Promise<readonly TemporaryMount[]>
  report(): Promise<SandboxReport>
  close(): Promise<void>
}

/** Finds a sandbox when the first command needs one, and decides on the access of commands. */
export function commandSandbox(
  options: SandboxOptions,
  { fileSystem, storage, environment, env, logs, cwd, isBusy }: SandboxedCommands,
): CommandSandbox {
  /** The network access of every command. */
  const usual = options.network ?? 'none'
  // Looked up only once, because a command could replace a folder that is a parent of another.
  const writable = realRoots(outermost([...fileSystem.roots, ...(options.write ?? [])]))
  /** The detected sandboxes, by network access. */
  const detected = new Map<string, Promise<Detected>>()
  let temporary: Promise<TemporaryFolder> | undefined

  return {
    async hold(folder, allowed) {
      await refuseOpenHome()
      const network = reachableWith(usual, allowed)
      const { sandbox, missing } = await detect(network)
      const because = (reason = 'nothing here can do that'): string =>
        `It could not reach what the user allowed: ${reason}.`
      if (allowed !== undefined && sandbox.name === 'none') {
        const { sandbox: held } = await detect(usual)
        if (held.name !== 'none')
          return { sandbox: held, policy: await policyFor(folder, usual), note: because() }
      }
      const policy = await policyFor(folder, network)
      const isCutOff = typeof network === 'object' && sandbox.name === 'bubblewrap'
      return { sandbox, policy, note: isCutOff ? because(missing[0]?.reason) : undefined }
    },

    async network(command) {
      // A command that can't run should not be approved first.
      await refuseOpenHome()
      if (usual === 'host') return undefined
      const { sandbox } = await detect(usual)
      if (sandbox.name === 'none') return undefined
      const reaches = usual === 'none' || sandbox.name === 'bubblewrap' ? [] : usual
      return { reaches, suggested: suggestHosts(command) }
    },

    async temporary() {
      const { sandbox } = await detect(usual)
      if (sandbox.name === 'none' || process.platform !== 'linux') return []
      const policy = await policyFor(cwd(), usual)
      const { temporary: real, writable } = policy
      const shown = [...writable, ...viewFor(policy).shown.map(({ target }) => target)]
      return temporaryFolders().map((path) => ({ path, real, shown }))
    },

    async report() {
      const { sandbox, missing } = await detect(usual)
      return { name: sandbox.name, about: sandbox.about, missing }
    },

    async close() {
      for (const each of detected.values())
        await (await each.catch(() => undefined))?.sandbox.close()
      await (await temporary?.catch(() => undefined))?.remove()
    },
  }

  async function detect(network: Network): Promise<Detected> {
    const key = JSON.stringify(network)
    // The sandbox with lists of hosts supports only one list at a time.
    if (typeof network === 'object' && !isBusy()) await closeOtherLists(key)
    const detecting =
      detected.get(key) ??
      policyFor(cwd(), network).then((policy) => detectSandbox(policy, options.use))
    detected.set(key, detecting)
    const found = await detecting.catch((error: unknown) => {
      // The next command tries again.
      detected.delete(key)
      throw error
    })
    if (options.use !== undefined && options.use !== found.sandbox.name) {
      const reasons = found.missing.map(({ name, reason }) => `${name}: ${reason}`).join('; ')
      throw new ToolError('execution_failed', `The required sandbox does not work: ${reasons}`, {
        code: 'sandbox',
      })
    }
    return found
  }

  async function closeOtherLists(wanted: string): Promise<void> {
    for (const [key, detecting] of detected) {
      if (key === wanted || !key.startsWith('[')) continue
      detected.delete(key)
      await (await detecting.catch(() => undefined))?.sandbox.close()
    }
  }

  async function policyFor(folder: string, network: Network): Promise<Policy> {
    temporary ??= makeTemporaryFolder(storage.folder, environment, fileSystem.roots).catch(
      (error: unknown) => {
        // The next command tries again.
        temporary = undefined
        throw unusableState(storage.folder, error)
      },
    )
    const { folder: files, home: privateHome } = await temporary
    const home = realPathOrSelf(fileSystem.home)
    return {
      cwd: folder,
      writable: await writable,
      readable: options.read ?? [],
      logs: [...logs].slice(-MAX_LOGS),
      protection: { pinned: [], readOnly: [] },
      home,
      homeLink: tryStat(fileSystem.home)?.isSymbolicLink() ? fileSystem.home : undefined,
      privateHome,
      temporary: files,
      state: realPathOrSelf(storage.folder),
      network,
      env,
      environment,
    }
  }

  async function refuseOpenHome(): Promise<void> {
    if (await exposesHome(fileSystem, options)) throw homeExposed(fileSystem)
  }
}

/** Guards protected files while a command runs in a sandbox. */
export async function guardFor(
  sandbox: Sandbox,
  { writable }: Policy,
  options: GuardOptions,
): Promise<Guard> {
  if (sandbox.name === 'none')
    return { protection: { pinned: [], readOnly: [] }, async release() {} }
  return await guardFolders(writable, options)
}

/**
 * True if sandboxed commands could read and change the whole home folder without the user's
 * confirmation.
 */
export async function exposesHome(
  fileSystem: Pick<FileSystemView, 'home' | 'roots'>,
  { use, write = [], exposeHome = false }: SandboxOptions,
): Promise<boolean> {
  const home = realPathOrSelf(fileSystem.home)
  if (use === 'none' || exposeHome || home === '/') return false
  const contain = async (folders: readonly string[]): Promise<boolean> =>
    isHomeOpen({ home, writable: await realRoots(folders) })
  return (await contain(fileSystem.roots)) && !(await contain(write))
}

function unusableState(folder: string, error: unknown): ToolError {
  return new ToolError(
    'execution_failed',
    `Couldn't create a temporary folder for commands in ${folder}: ${describeThrown(error)}. Make it writable and free some space, or set XDG_STATE_HOME to another folder.`,
    { code: 'state', path: folder },
  )
}

function homeExposed({ home }: FileSystemView): ToolError {
  return new ToolError(
    'execution_failed',
    `The workspace contains the home folder ${home}, so commands could read and change everything in it: SSH keys, tokens, browser profiles, every project. Work in a subfolder, or start toolglot with --expose-home, or put "sandbox": { "write": ["~"] } in your own settings.`,
    { code: 'home_exposed', path: home },
  )
}

/** The folders that are neither inside another folder nor reached through one. */
function outermost(folders: readonly string[]): string[] {
  return folders.filter((path, at) =>
    folders.every(
      (other, index) =>
        !isInAny(path, [other]) || index === at || (isInAny(other, [path]) && at < index),
    ),
  )
}

/** The network access of a command: the usual one, and the hosts that the approver allowed. */
function reachableWith(usual: Network, allowed: StartOptions['network']): Network {
  if (usual === 'host' || allowed === 'all') return 'host'
  const hosts = new Set([...(usual === 'none' ? [] : usual), ...(allowed ?? [])])
  return hosts.size > 0 ? [...hosts].sort() : 'none'
}

/**
 * Folders that git tracks even though they are repositories with their own settings. Git applies
 * these settings when it runs in a parent folder.
 */
export function trackedRepositories(fileSystem: FileSystemView): readonly string[] {
  return fileSystem.roots.flatMap((root) => {
    const found = fileSystem.repository?.(root)
    return found?.repositories?.map((name) => `${found.root}/${name}`) ?? []
  })
}

/**
 * A note if a command has made git track more of them. A sandbox can't prevent that, since commands
 * must be able to commit, and programs that git runs later because of it are not sandboxed.
 */
export function noteOnTracked(before: readonly string[], now: readonly string[]): string[] {
  const added = now.filter((path) => !before.includes(path))
  if (added.length === 0) return []
  return [
    `Git now tracks repositories that have settings of their own: ${added.join(', ')}. Outside the sandbox, even git status would obey these settings. Tell the user, and undo it with git rm --cached unless it is intended.`,
  ]
}
