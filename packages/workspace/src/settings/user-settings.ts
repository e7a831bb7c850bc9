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

/** The path of the user's own settings. */
export function userSettingsFile({ config }: Pick<UserDirectories, 'config'>): string {
  return join(config, 'settings.json')
}

/**
 * Sets a value in the user's own settings, or removes it if it is undefined. Returns the file.
 * Throws a UserError on failure.
 */
export function changeUserSettings(
  directories: UserDirectories,
  path: SettingsPath,
  value: unknown,
): string {
  return change(directories, typeof path === 'string' ? path : path.join(' '), (text, options) =>
    // If the file does not exist, there is nothing to remove.
    text === undefined && value === undefined
      ? undefined
      : editSettings(text ?? '', path, value, options),
  )
}

/** Adds to the user's own settings. Returns the file. Throws a UserError on failure. */
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
    // If the settings file is a link, write to its target.
    if (after !== undefined && after !== text) writeWhole(realPathOrSame(file), after)
    return file
  } catch (error) {
    // Unreadable settings, an invalid value, a secret, or a disk that cannot be written.
    const reason = visibleLine(error instanceof Error ? error.message : String(error))
    throw new UserError('data', `Cannot change ${visibleLine(what)} in your settings: ${reason}`)
  }
}

/**
 * A top-level key or a nested one: `model`, `permissions.mode`. A list if a key may contain dots.
 */
type SettingsPath = string | readonly string[]

/**
 * Sets a value in the text of settings, or removes it if it is undefined. Comments and all other
 * content are preserved. Throws a TypeError if the text or the value is invalid, or if the value
 * looks like a secret: secrets belong in the environment.
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

/** An addition to settings. */
export interface Addition {
  /** The key for messages, such as `permissions.allow`. */
  readonly key: string
  /** Returns the text including the addition. */
  readonly add: (text: string, options: ReadOptions) => string
}

/**
 * Adds rules to `permissions.allow` in the text of settings, except for existing ones. Comments and
 * all other content are preserved. Throws a TypeError if the text is invalid or a rule looks like a
 * secret.
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
 * Adds hosts to `sandbox.network` in the text of settings, except for existing ones. Throws a
 * TypeError if the text is invalid or forbids network access.
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
        `${options.file}: "network" in "sandbox" is "none". Change that first to give commands access to the network.`,
      )
    if (network === 'host') return before
    const fresh = [...new Set(hosts)].filter((host) => !network.includes(host))
    return fresh.reduceRight(
      (rest, host) => withValue(rest, ['sandbox', 'network', 0], host),
      before,
    )
  })
}

/** Changes the text of valid settings and checks that it stays valid. */
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
      'the value looks like a secret, which must not be in settings. Put it in your environment instead, for example: export OPENAI_API_KEY=…',
    )
  }
  const after = change(before, said)
  const now = readSettings(after, options)
  const known = new Set([...said.problems, ...said.warnings].map(({ reason }) => reason))
  const fresh = [...now.problems, ...now.warnings].find(({ reason }) => !known.has(reason))
  if (fresh) throw new TypeError(fresh.reason)
  if (Buffer.byteLength(after) > MAX_SETTINGS_BYTES)
    throw new TypeError(`${options.file} would be larger than ${MAX_SETTINGS_BYTES} bytes`)
  return after
}

/**
 * True if a value contains an apparent secret that is not in the text yet. Secrets that the user
 * entered by hand may stay.
 */
function addsSecret(value: unknown, before: string): boolean {
  const text = JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' && before.includes(JSON.stringify(each)) ? '' : each,
  )
  return text !== undefined && looksLikeKey(text)
}

/** Sets a value in the text. If the path ends with a number, the value is inserted into a list. */
function withValue(text: string, path: (string | number)[], value: unknown): string {
  const options: ModificationOptions = {
    formattingOptions: { insertSpaces: !/^\t/m.test(text), tabSize: 2, eol: '\n' },
    // Insert at the top: inserting after the last entry would separate it from its comment.
    getInsertionIndex: () => 0,
    isArrayInsertion: typeof path.at(-1) === 'number',
  }
  return applyEdits(text, modify(text, path, value, options))
}
