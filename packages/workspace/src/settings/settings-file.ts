import type { PermissionMode, RuleScope, RuleSource, Verdict } from '@toolglot/permissions'
import { readTextFile } from '@toolglot/permissions/node/internal'
import { visibleLine } from '../visible.ts'
import type { SettingValue } from './keys/key.ts'

/** The content of a settings file. */
export interface SettingsFile {
  readonly file: string
  readonly scope: RuleScope
  /** True if the file belongs to another program and was read at the user's request. */
  readonly foreign?: true
  readonly rules: readonly RuleText[]
  readonly mode?: PermissionMode
  /** Additional folders of the workspace. */
  readonly roots: readonly PathText[]
  /** Files with the user's own protocols. Their code runs when they are loaded. */
  readonly protocols: readonly PathText[]
  /** All other values by key. */
  readonly values: readonly SettingValue[]
  /** While there are any problems, every call needs approval. */
  readonly problems: readonly SettingsProblem[]
  readonly warnings: readonly SettingsProblem[]
}

/** A rule in its original form. */
export interface RuleText {
  readonly verdict: Verdict
  readonly text: string
  readonly source: RuleSource
  /** See Rule. */
  readonly except?: readonly string[]
}

/**
 * A path in its original form: relative to the source's `root`, or to the home folder after `~/`.
 */
export interface PathText {
  readonly path: string
  readonly source: RuleSource
}

/** A problem in a settings file. */
export interface SettingsProblem {
  readonly file: string
  readonly line?: number
  readonly reason: string
}

/** Prints a problem on one line: file, line number and reason. */
export function printProblem({
  file,
  line,
  reason,
}: Omit<SettingsProblem, 'line'> & { readonly line?: number | undefined }): string {
  return visibleLine(`${file}${line === undefined ? '' : `:${line}`}: ${reason}`)
}

/** Larger settings are an error. */
export const MAX_SETTINGS_BYTES: number = 1 << 20

/**
 * The text of a settings file, or undefined if it does not exist. Throws a TypeError if it cannot
 * be read.
 */
export function readSettingsText(file: string): string | undefined {
  const content = readTextFile(file, MAX_SETTINGS_BYTES)
  if ('missing' in content) return undefined
  if ('reason' in content) throw new TypeError(`${file}: ${content.reason}`)
  return content.text
}
