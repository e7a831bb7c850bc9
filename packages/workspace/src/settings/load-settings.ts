import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import {
  mergeSettings,
  type Settings,
  grantsNothing,
  type UntrustedGrants,
  untrustedGrants,
} from './merge-settings.ts'
import type { SettingsFile } from './settings-file.ts'
import { createDigest } from '../trust/digest.ts'
import { findIgnores, findSettings, type FindSettingsOptions } from './find-settings.ts'
import { realPathOrSame, resolvePath } from '../inside.ts'
import { addTrust, type TrustedFolder, trustOf } from '../trust/trust-store.ts'

/**
 * The user's trust in a folder. `changed`: its settings have changed since the user saw them. Only
 * a person can make a folder trusted.
 */
export type FolderTrust = 'trusted' | 'changed' | 'untrusted'

/** The places to search for settings, and additional settings. */
export interface LoadOptions extends FindSettingsOptions {
  /** Additional settings, such as those from the command line. */
  readonly more?: readonly SettingsFile[] | undefined
}

/**
 * The settings that apply to a folder, and the information that the user must see before trusting
 * it.
 */
export interface LoadedSettings {
  /** The folder's real path. */
  readonly folder: string
  readonly files: readonly SettingsFile[]
  readonly settings: Settings
  readonly trust: FolderTrust
  /** The trusted folder, which is this folder or a parent. */
  readonly trustedAt?: string
  /** The permissions granted by the folder's own settings. */
  readonly grants: UntrustedGrants
  /**
   * Digests of the folder's own settings and the code they refer to, as loaded: with and without
   * another program's settings.
   */
  readonly digests: readonly string[]
}

/** Loads the settings that apply to a folder. No code in them runs. */
export function loadSettings(path: string, options: LoadOptions): LoadedSettings {
  const { directories, more = [] } = options
  const folder = realpathSync.native(path)
  const files = [...findSettings(folder, options), ...more]
  const grants = untrustedGrants(files)
  const home = realPathOrSame(directories.home)
  const entry = trustOf(folder, { file: trustFile(options), home })
  const own = files.filter(({ foreign }) => !foreign)
  const digests = [...new Set([files, own].map(createDigest(home)))]
  const trust = trustIn(files, digests[0]!, entry)
  const trusted = trust === 'trusted'
  // Every folder of the workspace has its own ignore files.
  const ignores = mergeSettings(files, { trusted }).roots.flatMap(({ path: root, source }) =>
    findIgnores(resolvePath(root, source.root ?? folder, home)),
  )

  return {
    folder,
    files,
    settings: mergeSettings([...files, ...ignores], { trusted }),
    trust,
    trustedAt: entry?.folder,
    grants,
    digests,
  }
}

/**
 * The user's trust in a folder with these files. Compares their digest with the digests that the
 * user trusted.
 */
export function trustIn(
  files: readonly SettingsFile[],
  digest: string,
  entry: TrustedFolder | undefined,
): FolderTrust {
  if (!entry) return 'untrusted'
  const isSame = grantsNothing(untrustedGrants(files)) || entry.digests.includes(digest)
  return isSame ? 'trusted' : 'changed'
}

/**
 * Records that the user has seen the permissions granted by a folder's settings and trusts the
 * folder.
 */
export function trustFolder(
  { folder, digests }: LoadedSettings,
  options: FindSettingsOptions,
): void {
  addTrust(trustFile(options), { folder, digests, time: new Date().toISOString() })
}

/** The file that contains the list of trusted folders. */
export function trustFile({ directories }: Pick<FindSettingsOptions, 'directories'>): string {
  return join(directories.config, 'trust.json')
}
