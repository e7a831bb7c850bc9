import { join } from 'node:path'
import { applyEdits, modify, type ModificationOptions } from 'jsonc-parser'
import { looksLikeKey } from '@toolglot/agent/internal'
import { type ReadOptions, readSettings } from './read-settings.ts'
import { readSettingsText, MAX_SETTINGS_BYTES, type SettingsFile } from './settings-file.ts'
import type { UserDirectories } from '../user-directories.ts'
import { realPathOrSame } from '../inside.ts'
import { UserError } from '../user-error.ts'
import { visibleLine } from '../visible.ts'
import { writeWhole } from '../write-whole.ts'
import { settingValues } from './keys/key.ts'
import { sandbox } from './keys/sandbox.ts'

/** Where a person's own settings are. */
export function userSettingsFile({ config }: Pick<UserDirectories, 'config'>): string {
  return join(config, 'settings.json')
}

/** Sets a value in a person's own settings, or removes it if it is undefined. Returns the file; throws a UserError. */
export function changeUserSettings(
  directories: UserDirectories,
  path: SettingsPath,
  value: unknown,
): string {
  return change(directories, typeof path === 'string' ? path : path.join(' '), (text, options) =>
    // There is nothing to remove from a file that does not exist.
    text === undefined && value === undefined
      ? undefined
      : editSettings(text ?? '', path, value, options),
  )
}

/** Adds something to a person's own settings. Returns the file; throws a UserError. */
export function addToUserSettings(directories: UserDirectories, { key, add }: Addition): string {
  return change(directories, key, (text, options) => add(text ?? '', options))
}

function change(
  directories: UserDirectories,
  what: string,
  edit: (text: string | undefined, options: ReadOptions) => string | undefined,
): string {
  const file = userSettingsFile(directories)
  try {
    const text = readSettingsText(file)
    const after = edit(text, { file, scope: 'user', root: directories.home })
    // If the settings file is a link, the link stays.
    if (after !== undefined && after !== text) writeWhole(realPathOrSame(file), after)
    return file
  } catch (error) {
    // Settings that cannot be read, an invalid value, a secret, a disk that cannot be written.
    throw new UserError('data', {
      expected: `to write ${visibleLine(what)} into your settings`,
      got: `this: ${visibleLine(error instanceof Error ? error.message : String(error))}`,
      advice: 'nothing was changed',
    })
  }
}

/** A top-level key, or one inside another: `model`, `permissions.mode`; or a list, if a key may contain dots. */
type SettingsPath = string | readonly string[]

/**
 * The text of settings with one value set, or removed if it is undefined. Comments and everything else stay. Throws a
 * TypeError if the text is invalid, or the value is, or it looks like a secret: those belong in the environment.
 */
export function editSettings(
  text: string,
  path: SettingsPath,
  value: unknown,
  options: ReadOptions,
): string {
  const keys = typeof path === 'string' ? path.split('.') : [...path]
  return edit(text, [value, keys], options, (before) => withValue(before, keys, value))
}

/** Something that is added to settings. */
export interface Addition {
  /** Where, for messages: `permissions.allow`. */
  readonly key: string
  /** Returns the text with it. */
  readonly add: (text: string, options: ReadOptions) => string
}

/**
 * The text of settings with these rules added to `permissions.allow`, except those that are there. Comments and everything
 * else stay. Throws a TypeError if the text is invalid, or a rule looks like a secret.
 */
export function addAllowRules(
  text: string,
  rules: readonly string[],
  options: ReadOptions,
): string {
  return edit(text, rules, options, (before, said) => {
    const known = said.rules.flatMap((rule) => (rule.verdict === 'allow' ? [rule.text] : []))
    const fresh = [...new Set(rules)].filter((rule) => !known.includes(rule))
    return fresh.reduceRight(
      (rest, rule) => withValue(rest, ['permissions', 'allow', 0], rule),
      before,
    )
  })
}

/**
 * The text of settings with these hosts added to `sandbox.network`, except those that are there. Throws a TypeError if the text
 * is invalid, or says that there is to be no network.
 */
export function addNetworkHosts(
  text: string,
  hosts: readonly string[],
  options: ReadOptions,
): string {
  return edit(text, hosts, options, (before, said) => {
    const [{ value: { network = [] } } = { value: {} }] = settingValues(said, sandbox)
    if (network === 'none')
      throw new TypeError(
        `${options.file}: "network" is "none" in "sandbox". Change that first, if commands may have a network.`,
      )
    if (network === 'host') return before
    const fresh = [...new Set(hosts)].filter((host) => !network.includes(host))
    return fresh.reduceRight(
      (rest, host) => withValue(rest, ['sandbox', 'network', 0], host),
      before,
    )
  })
}

/** Changes the text of settings that are valid, and checks that they stay so. */
function edit(
  text: string,
  value: unknown,
  options: ReadOptions,
  change: (before: string, said: SettingsFile) => string,
): string {
  const before = text.trim() === '' ? '{}\n' : text
  const said = readSettings(before, options)
  const [problem] = said.problems
  if (problem) {
    const line = problem.line === undefined ? '' : `:${problem.line}`
    throw new TypeError(`${options.file}${line}: ${problem.reason}. Fix that first.`)
  }
  if (addsSecret(value, before)) {
    throw new TypeError(
      `the value looks like a secret, and settings hold none: put it into your environment, for example export OPENAI_API_KEY=…`,
    )
  }
  const after = change(before, said)
  const now = readSettings(after, options)
  const known = new Set([...said.problems, ...said.warnings].map(({ reason }) => reason))
  const fresh = [...now.problems, ...now.warnings].find(({ reason }) => !known.has(reason))
  if (fresh) throw new TypeError(fresh.reason)
  if (Buffer.byteLength(after) > MAX_SETTINGS_BYTES)
    throw new TypeError(`${options.file}: it would be larger than ${MAX_SETTINGS_BYTES} bytes`)
  return after
}

/** Whether a value contains what looks like a secret, and is not in the text already: what a person wrote by hand can stay. */
function addsSecret(value: unknown, before: string): boolean {
  const text = JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' && before.includes(JSON.stringify(each)) ? '' : each,
  )
  return text !== undefined && looksLikeKey(text)
}

/** The text with one value. A path that ends with a number inserts into a list. */
function withValue(text: string, path: (string | number)[], value: unknown): string {
  const options: ModificationOptions = {
    formattingOptions: { insertSpaces: !/^\t/m.test(text), tabSize: 2, eol: '\n' },
    // Insert at the top: after the last entry, it would separate that from its comment.
    getInsertionIndex: () => 0,
    isArrayInsertion: typeof path.at(-1) === 'number',
  }
  return applyEdits(text, modify(text, path, value, options))
}
