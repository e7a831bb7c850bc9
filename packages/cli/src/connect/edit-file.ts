import { isDeepStrictEqual } from 'node:util'
import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser'
import { UserError } from '@toolglot/workspace'
import type { ClientSettings, SettingAt } from './client.ts'

/** The text of a file with the settings. Comments and other settings stay. */
export function withSettings(
  file: string,
  before: string | undefined,
  settings: ClientSettings,
): string {
  if ('values' in settings) return withValues(file, before ?? '', settings.values)
  if (before === undefined) return settings.text
  throw new UserError('data', {
    expected: `no file at ${file}`,
    got: 'one that this command has not written',
    advice: 'move it away, or add the settings by hand',
  })
}

/** Settings as people add them by hand. */
export function settingsText(settings: ClientSettings): string {
  return 'values' in settings ? withValues('', '', settings.values) : settings.text
}

/**
 * The text of a file that others changed since, without the settings: each value that is still as it was written becomes what it
 * was before. Undefined if nothing is left of a file that was not there.
 */
export function withoutSettings(
  file: string,
  now: string,
  before: string | undefined,
  settings: ClientSettings,
): string | undefined {
  if (!('values' in settings))
    throw new UserError('data', {
      expected: `${file} to be as this command wrote it`,
      got: 'a file that was changed since',
      advice: 'add --force to undo it all the same',
    })
  const current = objectIn(file, now)
  const earlier = objectIn(file, before ?? '')
  const text = settings.values.reduce((rest, [path, value]) => {
    if (!isDeepStrictEqual(valueAt(current, path), value)) return rest
    return withoutEmpty(edited(rest, path, valueAt(earlier, path)), path.slice(0, -1), earlier)
  }, now)
  const isEmpty = Object.keys(objectIn(file, text)).length === 0
  return before === undefined && isEmpty ? undefined : text
}

/** Removes objects that are empty now, and were not there before. */
function withoutEmpty(text: string, path: readonly string[], earlier: object): string {
  if (path.length === 0 || valueAt(earlier, path) !== undefined) return text
  const found = valueAt(parse(text) as object, path)
  if (typeof found !== 'object' || found === null || Object.keys(found).length > 0) return text
  return withoutEmpty(edited(text, path, undefined), path.slice(0, -1), earlier)
}

function withValues(file: string, before: string, values: readonly SettingAt[]): string {
  objectIn(file, before)
  const start = before.trim() === '' ? '{}\n' : before
  return values.reduce((text, [path, value]) => edited(text, path, value), start)
}

/** The text with one value; without it, if that is undefined. */
function edited(text: string, path: readonly string[], value: unknown): string {
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: 2, eol: '\n' }
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
  throw new UserError('data', {
    expected: `${file} to be a JSON object`,
    got: 'something else',
    advice: 'fix it, or change the settings by hand',
  })
}
