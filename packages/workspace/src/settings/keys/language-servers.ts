import { describe, type Item } from '../item.ts'
import type { SettingsKey } from './key.ts'

/** A language server that settings name. */
export interface LanguageServerSetting {
  readonly name: string
  /** The program, by its name on the PATH or its absolute path, and its arguments. */
  readonly command: readonly string[]
  /** The extensions of its files, such as `.gleam`. */
  readonly endings: readonly string[]
  /** The language id of its files. Default: the server's name. */
  readonly language?: string
  /** Files that mark the root of a project. */
  readonly markers?: readonly string[]
}

type Wrong = (line: number, reason: string) => void

/** Further language servers. They are preferred to the built-in ones. */
export const languageServers: SettingsKey<readonly LanguageServerSetting[]> = {
  key: 'languageServers',
  starts: (servers) => servers.map(({ command }) => ({ words: command })),
  read(item, wrong) {
    if (item.kind !== 'list') {
      wrong(item.line, `expected a list in "languageServers", such as ${EXAMPLE}`)
      return undefined
    }
    const read = item.items.map((each) => readServer(each, wrong))
    return read.every((server) => server !== undefined) ? read : undefined
  },
}

const EXAMPLE =
  '[{ "name": "gleam", "command": ["gleam", "lsp"], "endings": [".gleam"], "markers": ["gleam.toml"] }]'
const TEXTS = ['name', 'language']
const LISTS = ['command', 'endings', 'markers']
const NEEDED = ['name', 'command', 'endings']

function readServer(item: Item, wrong: Wrong): LanguageServerSetting | undefined {
  if (item.kind !== 'map') {
    wrong(item.line, `expected a language server such as ${EXAMPLE}, got ${describe(item)}`)
    return undefined
  }
  const found = new Map<string, unknown>()
  let isRight = true
  const refuse = (line: number, reason: string): void => {
    isRight = false
    wrong(line, reason)
  }
  for (const { key, line, item: value } of item.entries) {
    const read = TEXTS.includes(key)
      ? textIn(value)
      : LISTS.includes(key)
        ? textsIn(value)
        : undefined
    if (read === undefined) refuse(line, problemOf(key, value))
    else if (found.has(key)) refuse(line, `"${key}" is a duplicate key`)
    found.set(key, read)
  }
  const missing = NEEDED.filter((key) => !found.has(key))
  if (missing.length > 0) refuse(item.line, `a language server needs ${missing.join(', ')}`)
  // Every key was read with its own type.
  return isRight ? (Object.fromEntries(found) as unknown as LanguageServerSetting) : undefined
}

function problemOf(key: string, value: Item): string {
  if (TEXTS.includes(key)) return `expected a string in "${key}", got ${describe(value)}`
  if (LISTS.includes(key)) return `expected a list of strings in "${key}", got ${describe(value)}`
  return `a language server has no ${JSON.stringify(key.slice(0, 40))}, only ${[...TEXTS, ...LISTS].join(', ')}`
}

function textIn(item: Item): string | undefined {
  const value = item.kind === 'plain' ? item.value : undefined
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function textsIn(item: Item): string[] | undefined {
  if (item.kind !== 'list' || item.items.length === 0) return undefined
  const texts = item.items.map(textIn)
  return texts.every((text) => text !== undefined) ? texts : undefined
}
