import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { RunOptions } from '@toolglot/agent'
import type { RuleSource } from '@toolglot/permissions'
import type { Workspace } from '../workspace.ts'
import {
  addAllowRules,
  type Addition,
  addNetworkHosts,
  addToUserSettings,
} from './user-settings.ts'
import { refuseInvalidRules } from './permissions-of.ts'
import { isTracked } from '../git-index.ts'
import { gitRoot, realPathOrSame } from '../inside.ts'
import { createDigest } from '../trust/digest.ts'
import { addTrust, type TrustedFolder, trustOf } from '../trust/trust-store.ts'
import type { UserDirectories } from '../user-directories.ts'
import { UserError } from '../user-error.ts'
import { quote, visibleLine } from '../visible.ts'
import { writeWhole } from '../write-whole.ts'
import { findSettings, localSettings } from './find-settings.ts'
import { trustFile, trustIn } from './load-settings.ts'
import { readSettings } from './read-settings.ts'
import { type SettingsFile, readSettingsText } from './settings-file.ts'
import { comesWithFolder } from './merge-settings.ts'

type Places = Pick<Workspace, 'folder' | 'directories' | 'permissions'>
type Allowed = Parameters<NonNullable<RunOptions['remember']>>[0]

/**
 * Stores rules, or hosts that commands can reach, that the user chose to allow always: in the
 * user's own settings, or in the local settings of the workspace's folder, which must be trusted
 * and stays trusted. Returns the file. Throws a UserError if storing them fails.
 */
export function rememberAllowed(
  workspace: Places,
  allowed: Allowed,
  scope: 'user' | 'folder',
): Promise<string> {
  return 'rules' in allowed
    ? rememberRules(workspace, allowed.rules, scope)
    : rememberHosts(workspace, allowed.hosts, scope)
}

/** Stores rules that the user chose to allow always, like `rememberAllowed`. */
export async function rememberRules(
  workspace: Places,
  rules: readonly string[],
  scope: 'user' | 'folder',
): Promise<string> {
  const { tools } = await workspace.permissions()
  const source: RuleSource = { scope: scope === 'user' ? 'user' : 'local' }
  refuseInvalidRules({ verdict: 'allow', source }, rules, tools)
  return store(workspace, scope, {
    key: 'permissions.allow',
    add: (text, options) => addAllowRules(text, rules, options),
  })
}

async function rememberHosts(
  workspace: Places,
  hosts: readonly string[],
  scope: 'user' | 'folder',
): Promise<string> {
  return store(workspace, scope, {
    key: 'sandbox.network',
    add: (text, options) => addNetworkHosts(text, hosts, options),
  })
}

function store(
  { folder, directories }: Pick<Places, 'folder' | 'directories'>,
  scope: 'user' | 'folder',
  addition: Addition,
): string {
  return scope === 'user'
    ? addToUserSettings(directories, addition)
    : allowInFolder(folder, addition, directories)
}

/**
 * Adds to a folder's local settings and renews the user's trust in the folder. The trust covers
 * only the previously trusted content and this addition, not changes by anyone else. Returns the
 * file. Throws a UserError on failure, and also if the folder's current settings are not trusted,
 * because the addition would have no effect.
 */
function allowInFolder(
  folder: string,
  { key, add }: Addition,
  directories: UserDirectories,
): string {
  const place = localSettings(folder)
  const { file } = place
  try {
    refuseOthersFile(file, folder)
    const text = readSettingsText(file)
    const after = add(text ?? '', place)
    const trust = renewedTrust(folder, directories, {
      now: text === undefined ? [] : [readSettings(text, place)],
      after: [readSettings(after, place)],
    })
    if (after === text) return file
    // Store the trust first. The old content stays trusted, so the folder never appears changed.
    addTrust(trustFile({ directories }), trust)
    // With default permissions: the folder may also contain the project's settings.
    if (!existsSync(dirname(file))) mkdirSync(dirname(file))
    writeWhole(file, after)
    return file
  } catch (error) {
    if (error instanceof UserError) throw error
    // Unreadable settings, a secret, an unreadable list of trusted folders, or a disk that cannot
    // be written.
    const reason = visibleLine(error instanceof Error ? error.message : String(error))
    throw new UserError('data', `Cannot change ${key} in the folder's local settings: ${reason}`)
  }
}

/**
 * Rejects a file that is not private to the user: a file tracked by Git is shared with other
 * people, and a link may point anywhere.
 */
function refuseOthersFile(file: string, folder: string): void {
  for (const path of [dirname(file), file]) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new TypeError(`${path} is a link. Replace it with its target.`)
  }
  const repository = gitRoot(folder)
  if (repository !== undefined && isTracked(file, repository))
    throw new TypeError(
      `${file} may be tracked by Git, so your rules would be shared with other people`,
    )
}

/**
 * The local settings of a folder before and after a change. An empty string if the file does not
 * exist.
 */
interface LocalChange {
  readonly now: readonly SettingsFile[]
  readonly after: readonly SettingsFile[]
}

/**
 * The trust in a folder after a change of its local settings. Throws a UserError if the user does
 * not trust its current content.
 */
function renewedTrust(
  folder: string,
  directories: UserDirectories,
  { now, after }: LocalChange,
): TrustedFolder {
  const home = realPathOrSame(directories.home)
  const entry = trustOf(folder, { file: trustFile({ directories }), home })
  const digest = createDigest(home)
  const { file } = localSettings(folder)
  const others = findSettings(folder, { directories, importClaude: true }).filter(
    (each) => comesWithFolder(each) && each.file !== file,
  )
  const own = others.filter(({ foreign }) => !foreign)
  const isTrusted = (rest: readonly SettingsFile[]): boolean => {
    // The folder's local settings come first in the list of files.
    const files = [...now, ...rest]
    return trustIn(files, digest(files), entry) === 'trusted'
  }
  if (!isTrusted(own)) throw notTrusted(folder, entry)
  const trusted = [others, own].filter(isTrusted)
  const digests = [after, now].flatMap((local) =>
    trusted.map((rest) => digest([...local, ...rest])),
  )
  return { folder, digests: [...new Set(digests)], time: new Date().toISOString() }
}

function notTrusted(folder: string, entry: TrustedFolder | undefined): UserError {
  const why = entry ? 'have changed since you trusted it' : 'are not trusted'
  return new UserError(
    'data',
    `The settings of ${quote(folder)} ${why}, so additions would have no effect. Review them with toolglot trust, or use your own settings`,
  )
}
