import { describe, type Item } from '../item.ts'
import type { SettingsKey } from './key.ts'

/** A language server of one's own. */
export interface LanguageServerSetting {
  readonly name: string
  /** The program, by its name on the PATH or its absolute path, and its arguments. */
  readonly command: readonly string[]
  /** How the names of its files end, such as `.gleam`. */
  readonly endings: readonly string[]
  /** What the protocol calls their language; the server's name if not told. */
  readonly language?: string
  /** Files that stand where a project begins. */
  readonly markers?: readonly string[]
}

type Wrong = (line: number, reason: string) => void

/** Language servers that are known beside those which the tools know, and asked first. */
export const languageServers: SettingsKey<readonly LanguageServerSetting[]> = {
  key: 'languageServers',
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
    if (read === undefined) refuse(line, whatIsWrong(key, value))
    else if (found.has(key)) refuse(line, `"${key}" stands here twice`)
    found.set(key, read)
  }
  const missing = NEEDED.filter((key) => !found.has(key))
  if (missing.length > 0) refuse(item.line, `a language server needs ${missing.join(', ')}`)
  // Every key was read as what the type says.
  return isRight ? (Object.fromEntries(found) as unknown as LanguageServerSetting) : undefined
}

function whatIsWrong(key: string, value: Item): string {
  if (TEXTS.includes(key)) return `expected a text in "${key}", got ${describe(value)}`
  if (LISTS.includes(key)) return `expected a list of texts in "${key}", got ${describe(value)}`
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
