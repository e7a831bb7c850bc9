// Folder: Folders and trust.
import { isObject } from '../schema/resolve-schema.ts'
import type { Key } from '../words/words.ts'
import type { TrustOffer } from './trust-words.tsx'

/** The description of a rule: a key of the words, and the rule's object. */
interface RuleInWords {
  readonly key: Key
  readonly what: string
  readonly tool: string
  /**
   * True if the rule covers everything of its kind: any command, file or page, or every tool of a
   * server.
   */
  readonly isBroad?: true
}

/** The texts for a tool's rules: unrestricted, for a whole folder, and for one object. */
const KINDS: Readonly<Record<string, readonly [all: Key, here: Key, some: Key]>> = {
  read: ['folders.rule.readAll', 'folders.rule.readHere', 'folders.rule.read'],
  edit: ['folders.rule.writeAll', 'folders.rule.writeHere', 'folders.rule.write'],
  write: ['folders.rule.writeAll', 'folders.rule.writeHere', 'folders.rule.write'],
  webfetch: ['folders.rule.fetchAll', 'folders.rule.fetchAll', 'folders.rule.fetch'],
}

const EVERYTHING = /^(?:|\/\/\*\*(?:\/\*)?|domain:\*)$/

const EVERYTHING_HERE = /^(?:\.?\/)?\*\*(?:\/\*)?$/

/** A row of the review: a heading, or an effect of the settings. */
export type ReviewRow =
  | { readonly type: 'heading'; readonly key: Key; readonly count: number }
  | ReviewItem

/** An effect that the settings of a folder would have. */
export interface ReviewItem {
  readonly type: 'item'
  /** The entry as written in the settings. */
  readonly text: string
  /** A description of the entry. */
  readonly words?: {
    readonly key: Key
    readonly values: Readonly<Record<string, string>>
  }
  readonly file?: string | undefined
  readonly line?: number | undefined
  /** True if it runs a program or loads code. */
  readonly runsCode?: true
  /** True if it allows everything of its kind. */
  readonly isBroad?: true
}

/**
 * Everything the user must see before trusting a folder, in order: entries that run code come
 * first.
 */
export function reviewRows(offer: TrustOffer): readonly ReviewRow[] {
  const values = offer.values.flatMap(valueItems)
  return [
    ...section('folders.section.code', [
      ...offer.protocols.map(({ path, file, line }): ReviewItem => ({
        type: 'item',
        text: path,
        words: { key: 'folders.value.protocol', values: {} },
        file,
        line,
        runsCode: true,
      })),
      ...values.filter(({ runsCode }) => runsCode),
    ]),
    ...section('folders.section.rules', [
      ...(offer.mode === undefined
        ? []
        : [{ type: 'item', text: offer.mode, words: modeWords(offer.mode) } as const]),
      ...broadFirst(
        offer.rules.map(({ rule, file, line }): ReviewItem => {
          const { key, what, tool, isBroad } = describeRule(rule)
          const words = { key, values: { what, tool } }
          return { type: 'item', text: rule, words, file, line, isBroad }
        }),
      ),
    ]),
    ...section(
      'folders.section.roots',
      offer.roots.map(({ path, file, line }) => ({ type: 'item', text: path, file, line })),
    ),
    ...section(
      'folders.section.values',
      values.filter(({ runsCode }) => !runsCode),
    ),
    ...section(
      'folders.section.restrictions',
      offer.restrictions.map(({ rule, verdict, file, line }) => {
        const key = verdict === 'deny' ? 'folders.rule.deny' : 'folders.rule.ask'
        return { type: 'item', text: rule, words: { key, values: {} }, file, line }
      }),
    ),
  ]
}

function section(key: Key, items: readonly ReviewItem[]): readonly ReviewRow[] {
  return items.length === 0 ? [] : [{ type: 'heading', key, count: items.length }, ...items]
}

/** Moves the broadest grants to the top. */
function broadFirst(items: readonly ReviewItem[]): readonly ReviewItem[] {
  return [...items.filter(({ isBroad }) => isBroad), ...items.filter(({ isBroad }) => !isBroad)]
}

function modeWords(mode: string): NonNullable<ReviewItem['words']> {
  return {
    key: mode === 'acceptEdits' ? 'folders.value.acceptEdits' : 'folders.value.mode',
    values: {},
  }
}

/** The rows for a settings value, one for each program that it would start. */
function valueItems({
  key,
  value,
  file,
  line,
}: TrustOffer['values'][number]): readonly ReviewItem[] {
  const place = { type: 'item', file, line } as const
  if (key === 'mcpServers' && isObject(value)) {
    return Object.entries(value).map(([server, what]) => ({
      ...place,
      text: `${server}: ${commandText(what)}`,
      words: {
        key: isObject(what) && 'url' in what ? 'folders.value.serverUrl' : 'folders.value.server',
        values: { server },
      },
      runsCode: true,
    }))
  }
  if (key === 'languageServers' && Array.isArray(value)) {
    return value.map((what) => ({
      ...place,
      text: commandText(what),
      words: { key: 'folders.value.languageServer', values: {} },
      runsCode: true,
    }))
  }
  if (key === 'tools' && Array.isArray(value)) {
    return value.map((path) => ({
      ...place,
      text: String(path),
      words: { key: 'folders.value.tools', values: {} },
      runsCode: true,
    }))
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (key === 'testCommand') {
    return [{ ...place, text, words: { key: 'folders.value.testCommand', values: {} } }]
  }
  return [{ ...place, text: `${key}: ${text}` }]
}

/**
 * A program with its arguments, or an address, followed by all other fields: the user must see
 * every field.
 */
function commandText(what: unknown): string {
  if (!isObject(what)) return JSON.stringify(what)
  const { command, args, url, ...more } = what
  const words = [command, args, url].flat().filter((word) => word !== undefined)
  const text = words.map((word) => (isPlain(word) ? word : JSON.stringify(word))).join(' ')
  return Object.keys(more).length === 0 ? text : `${text}  ${JSON.stringify(more)}`
}

function isPlain(word: unknown): word is string {
  return typeof word === 'string' && /^[^\s"'\\]+$/.test(word)
}

/** Describes the effect of an allow rule. */
export function describeRule(rule: string): RuleInWords {
  const { 1: tool = rule, 2: named } = /^([^(]+)\((.*)\)$/s.exec(rule) ?? []
  const what = named ?? ''
  const name = tool.toLowerCase()
  if (name === 'bash') return describeCommand(what, tool)
  const kind = KINDS[name]
  if (kind) {
    if (EVERYTHING.test(what)) return { key: kind[0], what: '', tool, isBroad: true }
    if (EVERYTHING_HERE.test(what)) return { key: kind[1], what: '', tool, isBroad: true }
    return { key: kind[2], what: what.replace(/^domain:/, ''), tool }
  }
  const server = /^mcp__(.+?)(?:__(.+))?$/.exec(tool)
  if (server) {
    const [, whose = '', which = '*'] = server
    return which === '*'
      ? { key: 'folders.rule.server', what: whose, tool: which, isBroad: true }
      : { key: 'folders.rule.serverTool', what: whose, tool: which }
  }
  return { key: what === '' ? 'folders.rule.tool' : 'folders.rule.toolFor', what, tool }
}

function describeCommand(what: string, tool: string): RuleInWords {
  if (/^(?:\*|:\*)?$/.test(what))
    return { key: 'folders.rule.runAll', what: '', tool, isBroad: true }
  const start = /^(.*\S)(?::\*| \*)$/s.exec(what)?.[1]
  return start === undefined
    ? { key: 'folders.rule.run', what, tool }
    : { key: 'folders.rule.runStart', what: start, tool }
}
