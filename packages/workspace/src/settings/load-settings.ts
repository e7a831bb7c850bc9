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
 * Whether a person trusts a folder. `changed`: its settings are no longer those that they saw. Nothing that runs without
 * a person ever makes a folder trusted.
 */
export type FolderTrust = 'trusted' | 'changed' | 'untrusted'

/** Where `loadSettings` looks for settings, and settings to add to those it finds. */
export interface LoadOptions extends FindSettingsOptions {
  /** Further settings, such as those of the command line. */
  readonly more?: readonly SettingsFile[] | undefined
}

/** The settings that apply in a folder, and what a person must see before they trust it. */
export interface LoadedSettings {
  /** The folder's real path. */
  readonly folder: string
  readonly files: readonly SettingsFile[]
  readonly settings: Settings
  readonly trust: FolderTrust
  /** The folder that was trusted: this one or a parent. */
  readonly trustedAt?: string
  /** The grants of the folder's own settings. */
  readonly grants: UntrustedGrants
  /**
   * Digests of the folder's own settings and the code they name, as loaded: with another program's settings, and without
   * them.
   */
  readonly digests: readonly string[]
}

/** Loads the settings that apply in a folder. Nothing they name is run. */
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

/** Whether a person trusts these files of a folder, given their digest and what the person trusted. */
export function trustIn(
  files: readonly SettingsFile[],
  digest: string,
  entry: TrustedFolder | undefined,
): FolderTrust {
  if (!entry) return 'untrusted'
  const isSame = grantsNothing(untrustedGrants(files)) || entry.digests.includes(digest)
  return isSame ? 'trusted' : 'changed'
}

/** Records that a person saw what a folder's settings would allow, and trusts it. */
export function trustFolder(
  { folder, digests }: LoadedSettings,
  options: FindSettingsOptions,
): void {
  addTrust(trustFile(options), { folder, digests, time: new Date().toISOString() })
}

/** The file with the list of trusted folders. */
export function trustFile({ directories }: Pick<FindSettingsOptions, 'directories'>): string {
  return join(directories.config, 'trust.json')
}
