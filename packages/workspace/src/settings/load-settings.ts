import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { mergeSettings, type Settings } from './merge-settings.ts'
import { isEmpty, type Offer, offerOf } from './offer.ts'
import type { SettingsFile } from './settings-file.ts'
import { digestOf } from '../trust/digest.ts'
import { findIgnores, findSettings, type FindOptions } from './find-settings.ts'
import { resolvePath } from '../inside.ts'
import { addTrust, trustOf } from '../trust/trust-store.ts'

/**
 * Whether a person trusted a folder: `changed` where its settings are no longer those that they were shown. Nothing that
 * runs without a person there ever makes a folder trusted.
 */
export type FolderTrust = 'trusted' | 'changed' | 'untrusted'

export interface LoadOptions extends FindOptions {
  /** Settings beside those that are found, such as those of the command line. */
  readonly more?: readonly SettingsFile[]
}

/** The settings that hold in a folder, and what a person would have to be shown to trust it. */
export interface Loaded {
  /** The folder's real path. */
  readonly folder: string
  readonly files: readonly SettingsFile[]
  readonly settings: Settings
  readonly trust: FolderTrust
  /** The folder that was trusted: this one or one around it. */
  readonly trustedAt?: string
  /** What the folder's own settings would allow. */
  readonly offer: Offer
  /**
   * Of the folder's own settings and the code they name, as they were when they were loaded; and of those without another
   * program's.
   */
  readonly digests: readonly string[]
}

export function loadSettings(path: string, options: LoadOptions): Loaded {
  const { machine, more = [] } = options
  const folder = realpathSync.native(path)
  const files = [...findSettings(folder, options), ...more]
  const offer = offerOf(files)
  const home = realHome(machine.home)
  const entry = trustOf(folder, { file: trustFile(options), home })
  const own = files.filter(({ foreign }) => !foreign)
  const digests = [...new Set([files, own].map((some) => digestOf(some, home)))]
  const isSame = entry && (isEmpty(offer) || entry.digests.includes(digests[0]!))
  const trust = isSame ? 'trusted' : entry ? 'changed' : 'untrusted'
  const trusted = trust === 'trusted'
  // What belongs to the workspace says for itself what must not be read.
  const ignores = mergeSettings(files, { trusted }).roots.flatMap(({ path: root, source }) =>
    findIgnores(resolvePath(root, source.root ?? folder, home)),
  )

  return {
    folder,
    files,
    settings: mergeSettings([...files, ...ignores], { trusted }),
    trust,
    ...(entry && { trustedAt: entry.folder }),
    offer,
    digests,
  }
}

/** Remembers that a person was shown what a folder's settings would allow, and trusts it. */
export function trustFolder({ folder, digests }: Loaded, options: FindOptions): void {
  addTrust(trustFile(options), { folder, digests, time: new Date().toISOString() })
}

/** Where it is remembered which folders are trusted. */
export function trustFile({ machine }: Pick<FindOptions, 'machine'>): string {
  return join(machine.config, 'trust.json')
}

function realHome(home: string): string {
  try {
    return realpathSync.native(home)
  } catch {
    // There is no such folder.
    return home
  }
}
