import { describe, type Item, mustBe, unknownKey } from '../item.ts'
import type { SettingSchema, SettingsKey } from './key.ts'
import { about, type Field, fieldsSchema, textField, type Wrong } from './fields.ts'

/** A language server in the settings. */
export interface LanguageServerSetting {
  readonly name: string
  /** The program, as a name on the PATH or an absolute path, followed by its arguments. */
  readonly command: readonly string[]
  /** The file extensions it handles, such as `.gleam`. */
  readonly endings: readonly string[]
  /** The language id of the files. Default: the server's name. */
  readonly language?: string
  /** Files that mark the root of a project. */
  readonly markers?: readonly string[]
}

const textsField: Field = {
  expected: 'a list of strings',
  schema: { type: 'array', minItems: 1, items: textField.schema },
  read(item, wrong) {
    if (item.kind !== 'list' || item.items.length === 0) return undefined
    const texts = item.items.map((each) => textField.read(each, wrong))
    return texts.includes(undefined) ? undefined : texts
  },
}

const FIELDS: Readonly<Record<keyof LanguageServerSetting, Field>> = {
  name: textField,
  language: about("The language id in LSP. Default: the server's name.", textField),
  command: about(
    'The program and its arguments. The program is a name on the PATH or an absolute path.',
    textsField,
  ),
  endings: about('The file extensions it handles, such as .gleam.', textsField),
  markers: about('Files that mark the root of a project.', textsField),
}
const NEEDED = ['name', 'command', 'endings']
const EXAMPLE =
  '[{ "name": "gleam", "command": ["gleam", "lsp"], "endings": [".gleam"], "markers": ["gleam.toml"] }]'

const schema: SettingSchema = {
  description: 'Your own language servers. They take precedence over the built-in ones.',
  type: 'array',
  items: fieldsSchema(FIELDS, { required: NEEDED }),
}

/** Additional language servers. They take precedence over the built-in ones. */
export const languageServers: SettingsKey<readonly LanguageServerSetting[]> = {
  key: 'languageServers',
  schema,
  starts: (servers) => servers.map(({ command }) => ({ words: command })),
  read(item, wrong) {
    if (item.kind !== 'list') {
      wrong(item.line, `"languageServers" must be a list, such as ${EXAMPLE}`)
      return undefined
    }
    const read = item.items.map((each) => readServer(each, wrong))
    return read.every((server) => server !== undefined) ? read : undefined
  },
}

function readServer(item: Item, wrong: Wrong): LanguageServerSetting | undefined {
  if (item.kind !== 'map') {
    wrong(
      item.line,
      `"languageServers" must contain objects, as in ${EXAMPLE}, not ${describe(item)}`,
    )
    return undefined
  }
  const known = new Map(Object.entries<Field>(FIELDS))
  const found = new Map<string, unknown>()
  let isValid = true
  const refuse = (line: number, reason: string): void => {
    isValid = false
    wrong(line, reason)
  }
  for (const { key, line, item: value } of item.entries) {
    const field = known.get(key)
    const read = field?.read(value, wrong)
    if (!field) refuse(line, unknownKey(key, 'a language server', known.keys()))
    else if (read === undefined) refuse(line, mustBe(key, field.expected, value))
    else if (found.has(key)) refuse(line, `"${key}" is a duplicate key`)
    found.set(key, read)
  }
  const missing = NEEDED.filter((key) => !found.has(key))
  if (missing.length > 0) refuse(item.line, `a language server requires ${missing.join(', ')}`)
  // Each key was read with its own type.
  return isValid ? (Object.fromEntries(found) as unknown as LanguageServerSetting) : undefined
}
