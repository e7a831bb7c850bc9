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

function withValues(file: string, before: string, values: readonly SettingAt[]): string {
  const start = before.trim() === '' ? '{}\n' : before
  const errors: ParseError[] = []
  const found: unknown = parse(start, errors, { allowTrailingComma: true })
  if (errors.length > 0 || typeof found !== 'object' || found === null || Array.isArray(found))
    throw new UserError('data', {
      expected: `${file} to be a JSON object`,
      got: 'something else',
      advice: 'fix it, or add the settings by hand',
    })
  return values.reduce((text, [path, value]) => {
    const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: 2, eol: '\n' }
    return applyEdits(text, modify(text, [...path], value, { formattingOptions }))
  }, start)
}
