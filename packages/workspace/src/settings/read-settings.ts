// Folder: Settings: keys, files, schema.
import {
  PERMISSION_MODES,
  type PermissionMode,
  type RuleScope,
  type RuleSource,
  type Verdict,
} from '@toolglot/permissions'
import { nearest } from '@toolglot/permissions/internal'
import { createScanner, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'
import {
  describe,
  type Entry,
  type Item,
  mustBe,
  type Outline,
  show,
  MAX_DEPTH,
  MAX_TOKENS,
  type Fault,
} from './item.ts'
import { settingsKeys } from './keys/index.ts'
import type { SettingValue } from './keys/key.ts'
import type { PathText, RuleText, SettingsFile, SettingsProblem } from './settings-file.ts'

/** The source of settings and their syntax. */
export interface ReadOptions {
  readonly file: string
  readonly scope: RuleScope
  /** The base of relative paths in the settings. */
  readonly root: string
  /** True if the settings belong to another program, so only `permissions` is read. */
  readonly foreign?: true
  /** Parses the text. Default: JSON with comments. */
  readonly outline?: (text: string) => Outline
}

/** Reads settings. Never throws: invalid parts are reported as problems, with their line. */
export function readSettings(text: string, options: ReadOptions): SettingsFile {
  const { file, scope, root, foreign, outline = readJson } = options
  const notes = new Notes(file)
  const rules: RuleText[] = []
  const roots: PathText[] = []
  const protocols: PathText[] = []
  const values: SettingValue[] = []
  let mode: PermissionMode | undefined

  const item = rootOf()
  if (item) {
    for (const entry of entriesOf(item, 'the settings')) readTop(entry)
  }
  const { problems, warnings } = notes
  return {
    file,
    scope,
    foreign,
    rules,
    mode,
    roots,
    protocols,
    values,
    problems,
    warnings,
  }

  function rootOf(): Item | undefined {
    if (text.startsWith('\ufeff')) {
      notes.problem(1, 'the file starts with a byte order mark. Save it as UTF-8 without one')
      return undefined
    }
    const { root: item, faults } = outline(text)
    for (const { line, reason } of faults) notes.problem(line, reason)
    return item
  }

  function readTop({ key, line, item }: Entry): void {
    const known = settingsKeys.find((each) => each.key === key)
    if (key === 'permissions') {
      for (const entry of entriesOf(item, 'permissions')) readPermission(entry)
    } else if (foreign || key === '$schema') {
      return
    } else if (key === 'protocols') {
      for (const [path, source] of textsOf(item, key)) protocols.push({ path, source })
    } else if (known?.scopes && !known.scopes.includes(scope)) {
      notes.warning(line, `${show(key)} is only read from your own settings`)
    } else if (known) {
      const value = known.read(item, notes.warning, scope)
      if (value !== undefined) values.push({ key, value, source: { scope, file, line, root } })
    } else if (PERMISSIONS.includes(key)) {
      notes.problem(line, `${show(key)} must be inside "permissions"`)
    } else {
      const [meant] = nearest(key, TOP)
      // A problem rather than a warning, because rules under a misspelled key would silently have
      // no effect.
      const note = meant === 'permissions' ? notes.problem : notes.warning
      note(line, unknown(key, meant))
    }
  }

  function readPermission({ key, line, item }: Entry): void {
    if (isVerdict(key)) {
      for (const [text, source] of textsOf(item, key)) rules.push({ verdict: key, text, source })
    } else if (key === 'roots' || key === 'additionalDirectories') {
      for (const [path, source] of textsOf(item, key)) roots.push({ path, source })
    } else if (key === 'mode' || key === 'defaultMode') {
      const named = modeOf(item)
      if (mode && named && mode !== named) notes.problem(line, 'the mode is set twice')
      mode ??= named
    } else if (!HARMLESS.includes(key)) {
      notes.problem(line, unknown(key, nearest(key, PERMISSIONS)[0]))
    }
  }

  function modeOf({ line, ...item }: Item): PermissionMode | undefined {
    const value = item.kind === 'plain' ? item.value : undefined
    const found = PERMISSION_MODES.find((mode) => mode === value)
    if (found) return found
    if (typeof value === 'string' && FOREIGN_MODES.includes(value)) {
      notes.warning(line, `Toolglot has no mode ${show(value)}, so it uses "default"`)
      return 'default'
    }
    notes.problem(line, `the mode must be one of ${PERMISSION_MODES.join(', ')}`)
    return undefined
  }

  /** The strings of a list, each with its source. */
  function textsOf(item: Item, key: string): [text: string, source: RuleSource][] {
    if (item.kind !== 'list') {
      notes.problem(item.line, mustBe(key, 'a list', item))
      return []
    }
    return item.items.flatMap((each): [string, RuleSource][] => {
      const { line } = each
      const value = each.kind === 'plain' ? each.value : undefined
      if (typeof value === 'string' && value.trim() !== '')
        return [[value, { scope, file, line, root }]]
      notes.problem(
        line,
        `${show(key)} must be a list of strings, and cannot contain ${describe(each)}`,
      )
      return []
    })
  }

  /** The entries of a map. A duplicate key is a problem, and both entries are returned. */
  function entriesOf(item: Item, name: string): Entry[] {
    if (item.kind !== 'map') {
      notes.problem(item.line, `${name} must be an object, not ${describe(item)}`)
      return []
    }
    const seen = new Set<string>()
    return item.entries.filter(({ key, line }) => {
      if (PROTOTYPE.includes(key)) {
        notes.problem(line, `${show(key)} is not allowed as a key`)
        return false
      }
      if (seen.has(key)) notes.problem(line, `${show(key)} is a duplicate key`)
      seen.add(key)
      return true
    })
  }
}

const TOP = ['permissions', 'protocols', '$schema', ...settingsKeys.map(({ key }) => key)]
const VERDICTS: readonly Verdict[] = ['allow', 'ask', 'deny']
const PERMISSIONS = [...VERDICTS, 'mode', 'defaultMode', 'roots', 'additionalDirectories']

/**
 * Additional keys of Claude Code's `permissions`. They only forbid modes that Toolglot does not
 * have.
 */
const HARMLESS = ['disableBypassPermissionsMode', 'disableAutoMode']

/**
 * Modes of Claude Code that allow more than any mode of Toolglot, and its other name for the
 * default.
 */
const FOREIGN_MODES = ['auto', 'bypassPermissions', 'manual']

const PROTOTYPE = ['__proto__', 'constructor', 'prototype']

function isVerdict(key: string): key is Verdict {
  return VERDICTS.some((verdict) => verdict === key)
}

function unknown(key: string, meant: string | undefined): string {
  return `unknown setting ${show(key)}${meant ? `. Did you mean ${show(meant)}?` : ''}`
}

/** Parses JSON with comments and trailing commas. */
export function readJson(text: string): Outline {
  if (text.trim() === '')
    return { faults: [{ line: 1, reason: 'the file is empty. Write {} for no settings' }] }
  const excess = excessIn(text)
  if (excess) return { faults: [excess] }
  const faults: Fault[] = []
  const open: Open[] = []
  let root: Item | undefined

  const add = (item: Item): void => {
    const around = open.at(-1)
    if (!around) root ??= item
    else if (around.item.kind === 'list') around.item.items.push(item)
    else if (around.key) {
      around.item.entries.push({ ...around.key, item })
      around.key = undefined
    }
  }
  const begin = (item: Open['item']): void => {
    add(item)
    open.push({ item, key: undefined })
  }

  visit(
    text,
    {
      onObjectBegin: (_, __, line) => begin({ kind: 'map', line: line + 1, entries: [] }),
      onArrayBegin: (_, __, line) => begin({ kind: 'list', line: line + 1, items: [] }),
      onObjectEnd: () => void open.pop(),
      onArrayEnd: () => void open.pop(),
      onObjectProperty: (key, _, __, line) => {
        const around = open.at(-1)
        if (around) around.key = { key, line: line + 1 }
      },
      onLiteralValue: (value: string | number | boolean | null, _, __, line) =>
        add({ kind: 'plain', line: line + 1, value }),
      onError: (code, _, __, line) => faults.push({ line: line + 1, reason: reasonOf(code) }),
    },
    { allowTrailingComma: true },
  )
  return { root, faults }
}

interface Open {
  readonly item:
    | { readonly kind: 'map'; readonly line: number; readonly entries: Entry[] }
    | { readonly kind: 'list'; readonly line: number; readonly items: Item[] }
  key: { readonly key: string; readonly line: number } | undefined
}

/**
 * The position where a string is nested too deeply for the recursive parser or has too many values.
 */
function excessIn(text: string): Fault | undefined {
  const scanner = createScanner(text, true)
  const fault = (reason: string): Fault => ({ line: scanner.getTokenStartLine() + 1, reason })
  let depth = 0
  let tokens = 0
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const first = text.charAt(scanner.getTokenOffset())
    if (first === '{' || first === '[') depth++
    if (first === '}' || first === ']') depth--
    if (depth > MAX_DEPTH) return fault(`nested more than ${MAX_DEPTH} levels deep`)
    if (++tokens > MAX_TOKENS) return fault(`more than ${MAX_TOKENS} values and symbols`)
  }
  return undefined
}

function reasonOf(code: ParseErrorCode): string {
  const name = printParseErrorCode(code)
  return `invalid JSON: ${REASONS.get(name) ?? name}`
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'unexpected symbol'],
  ['InvalidNumberFormat', 'invalid number'],
  ['PropertyNameExpected', 'a key in double quotes is missing'],
  ['ValueExpected', 'a value is missing'],
  ['ColonExpected', 'a colon is missing'],
  ['CommaExpected', 'a comma is missing'],
  ['CloseBraceExpected', '} is missing'],
  ['CloseBracketExpected', '] is missing'],
  ['EndOfFileExpected', 'unexpected text after the end'],
  ['UnexpectedEndOfComment', 'a comment is not closed'],
  ['UnexpectedEndOfString', 'a string is not closed'],
  ['UnexpectedEndOfNumber', 'a number is incomplete'],
  ['InvalidUnicode', 'invalid escape'],
  ['InvalidEscapeCharacter', 'unknown escape'],
  ['InvalidCharacter', 'control character in a string'],
])

/**
 * Collects the problems of a settings file, up to a maximum, because a file may be invalid at every
 * character.
 */
export class Notes {
  readonly problems: SettingsProblem[] = []
  readonly warnings: SettingsProblem[] = []
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  readonly problem = (line: number, reason: string): void => this.#add(this.problems, line, reason)
  readonly warning = (line: number, reason: string): void => this.#add(this.warnings, line, reason)

  #add(list: SettingsProblem[], line: number, reason: string): void {
    if (list.length < MAX) list.push({ file: this.#file, line, reason })
  }
}

const MAX = 20
