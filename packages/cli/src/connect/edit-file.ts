import { isDeepStrictEqual } from 'node:util'
import { applyEdits, modify, type Node, type ParseError, parse, parseTree } from 'jsonc-parser'
import { UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import type { ClientSettings, SettingAt } from './connection.ts'

/** The text of a file with the settings added. Comments and other settings are kept. */
export function withSettings(
  file: string,
  before: string | undefined,
  settings: ClientSettings,
): string {
  if ('values' in settings) return withValues(file, before ?? '', settings.values)
  if (before === undefined) return settings.text
  throw new UserError(
    'data',
    `${file} already exists, and was not written by this command. Move it elsewhere, or add the settings by hand`,
  )
}

/** Settings as text for adding them by hand. */
export function settingsText(settings: ClientSettings): string {
  return 'values' in settings ? withValues('', '', settings.values) : settings.text
}

/**
 * Removes the settings from a file that was changed since: each value that is still as written is
 * restored to its previous one. Undefined if the file did not exist before and would be empty.
 */
export function withoutSettings(
  file: string,
  now: string,
  before: string | undefined,
  settings: ClientSettings,
): string | undefined {
  if (!('values' in settings))
    throw new UserError(
      'data',
      `${file} has changed since this command wrote it. Add --force to undo it anyway`,
    )
  const [mark, json] = withoutMark(now)
  const current = objectIn(file, json)
  const earlier = objectIn(file, withoutMark(before ?? '')[1])
  const text = settings.values.reduce((rest, [path, value]) => {
    if (!isDeepStrictEqual(valueAt(current, path), value)) return rest
    return withoutEmpty(edited(rest, path, valueAt(earlier, path)), path.slice(0, -1), earlier)
  }, json)
  const isEmpty = Object.keys(objectIn(file, text)).length === 0
  return before === undefined && isEmpty ? undefined : mark + text
}

/** Removes objects that are now empty and did not exist before. */
function withoutEmpty(text: string, path: readonly string[], earlier: object): string {
  if (path.length === 0 || valueAt(earlier, path) !== undefined) return text
  const found = valueAt(parse(text) as object, path)
  if (typeof found !== 'object' || found === null || Object.keys(found).length > 0) return text
  return withoutEmpty(edited(text, path, undefined), path.slice(0, -1), earlier)
}

function withValues(file: string, before: string, values: readonly SettingAt[]): string {
  const [mark, json] = withoutMark(before)
  objectIn(file, json)
  for (const [path] of values) checkPath(file, json, path)
  const start = json.trim() === '' ? '{}\n' : json
  return mark + values.reduce((text, [path, value]) => edited(text, path, value), start)
}

/** The byte order mark of a text, if any, and the rest. */
function withoutMark(text: string): readonly [mark: string, rest: string] {
  return text.startsWith('\uFEFF') ? ['\uFEFF', text.slice(1)] : ['', text]
}

/** Throws a UserError if a value cannot be added, because another value occupies its place. */
function checkPath(file: string, text: string, path: readonly string[]): void {
  const options = { allowTrailingComma: true }
  let object = text.trim() === '' ? undefined : parseTree(text, [], options)
  path.forEach((key, at) => {
    const named = (object?.children ?? []).flatMap(({ children: [name, value] = [] }) =>
      name?.value === key && value ? [value] : [],
    )
    const where = JSON.stringify(path.slice(0, at + 1).join('.'))
    if (named.length > 1) throw unexpected(file, `${where} occurs ${named.length} times`)
    const [found] = named
    if (found && at < path.length - 1 && found.type !== 'object')
      throw unexpected(file, `${where} must be an object, not ${KINDS[found.type]}`)
    object = found
  })
}

const KINDS: Readonly<Record<Node['type'], string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  property: 'a property',
}

function unexpected(file: string, problem: string): UserError {
  return new UserError(
    'data',
    visibleLine(`In ${file}, ${problem}. Fix it, or change the settings by hand`),
  )
}

/** The text with one value set, or removed if it is undefined. */
function edited(text: string, path: readonly string[], value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: 2, eol }
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }))
}

function valueAt(object: object, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    object,
  )
}

function objectIn(file: string, text: string): object {
  if (text.trim() === '') return {}
  const errors: ParseError[] = []
  const found: unknown = parse(text, errors, { allowTrailingComma: true })
  if (errors.length === 0 && typeof found === 'object' && found !== null && !Array.isArray(found))
    return found
  const problem =
    errors.length > 0
      ? 'the text is not JSON'
      : `the settings must be an object, not ${kindOf(found)}`
  throw unexpected(file, problem)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
