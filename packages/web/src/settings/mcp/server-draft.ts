import { isObject } from '../../schema/resolve-schema.ts'

/** The typed settings of an MCP server. */
export interface ServerDraft {
  readonly name: string
  readonly kind: 'command' | 'url'
  readonly command: string
  /** One per line: arguments may contain spaces. */
  readonly args: string
  /** One per line: NAME=value. */
  readonly env: string
  readonly url: string
  /** One per line: Name: value. */
  readonly headers: string
  readonly disabled: boolean
}

/** The initial form of a new server. */
export const EMPTY_DRAFT: ServerDraft = {
  name: '',
  kind: 'command',
  command: '',
  args: '',
  env: '',
  url: '',
  headers: '',
  disabled: false,
}

type Fields = Readonly<Record<string, unknown>>

/** A field with invalid content, and the reason. */
export interface DraftFault {
  readonly field: 'name' | 'command' | 'env' | 'url' | 'headers'
  readonly kind: 'empty' | 'taken' | 'pair'
}

/** The form's content for a configured server. */
export function draftOf(name: string, server: unknown): ServerDraft {
  const fields: Fields = isObject(server) ? server : {}
  const text = (key: string): string => (typeof fields[key] === 'string' ? fields[key] : '')
  const pairs = (key: string, between: string): string =>
    Object.entries(isObject(fields[key]) ? fields[key] : {})
      .map(([each, value]) => `${each}${between}${String(value)}`)
      .join('\n')
  return {
    name,
    kind: 'url' in fields ? 'url' : 'command',
    command: text('command'),
    args: Array.isArray(fields['args']) ? fields['args'].map(String).join('\n') : '',
    env: pairs('env', '='),
    url: text('url'),
    headers: pairs('headers', ': '),
    disabled: fields['disabled'] === true,
  }
}

/**
 * The server as settings contain it. Unchanged fields, and those that the form does not show, such
 * as its timeout, are kept.
 */
export function serverOf(draft: ServerDraft, before: unknown): Fields {
  const { kind, command, args, env, url, headers, disabled } = draft
  const fields: Fields = isObject(before) ? before : {}
  const shown = draftOf('', before)
  const kept = Object.entries(fields).filter(
    ([key]) => !SHOWN.has(key) && !(kind === 'url' && key === 'cwd'),
  )
  /**
   * Unchanged fields keep values that cannot be typed: empty arguments, line breaks, spaces around
   * a value.
   */
  const field = (key: TextField, read: () => unknown): Fields => {
    if (draft[key] === shown[key]) return key in fields ? { [key]: fields[key] } : {}
    const value = read()
    return isEmpty(value) ? {} : { [key]: value }
  }
  return {
    ...(kind === 'url'
      ? {
          ...field('url', () => url.trim()),
          ...field('headers', () => pairsOf(headers, ':')),
        }
      : {
          ...field('command', () => command.trim()),
          ...field('args', () => linesOf(args)),
          ...field('env', () => pairsOf(env, '=')),
        }),
    ...Object.fromEntries(kept),
    ...(disabled && { disabled: true }),
  }
}

type TextField = 'command' | 'args' | 'env' | 'url' | 'headers'

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

const SHOWN: ReadonlySet<string> = new Set(['command', 'args', 'env', 'url', 'headers', 'disabled'])

/** The missing or invalid fields. The server checks the rest. */
export function faultsOf(draft: ServerDraft, others: readonly string[]): readonly DraftFault[] {
  const { name, kind, command, env, url, headers } = draft
  const faults: DraftFault[] = []
  if (name.trim() === '') faults.push({ field: 'name', kind: 'empty' })
  if (others.some((other) => other.toLowerCase() === name.trim().toLowerCase()))
    faults.push({ field: 'name', kind: 'taken' })
  if (kind === 'command' && command.trim() === '') faults.push({ field: 'command', kind: 'empty' })
  if (kind === 'url' && url.trim() === '') faults.push({ field: 'url', kind: 'empty' })
  if (kind === 'command' && !linesOf(env).every((line) => line.indexOf('=') > 0))
    faults.push({ field: 'env', kind: 'pair' })
  if (kind === 'url' && !linesOf(headers).every((line) => line.indexOf(':') > 0))
    faults.push({ field: 'headers', kind: 'pair' })
  return faults
}

/** The servers with one changed, under its new name, or removed if there is no new name. */
export function withServer(
  servers: unknown,
  oldName: string | undefined,
  next: { readonly name: string; readonly server: unknown } | undefined,
): Fields | null {
  const entries = Object.entries(isObject(servers) ? servers : {})
  const at = entries.findIndex(([name]) => name === oldName)
  const added: [string, unknown][] = next ? [[next.name, next.server]] : []
  const changed = at < 0 ? [...entries, ...added] : entries.toSpliced(at, 1, ...added)
  return changed.length > 0 ? Object.fromEntries(changed) : null
}

/** The configured server with a name. */
export function serverNamed(servers: unknown, name: string): unknown {
  return isObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined
}

/**
 * True if a value contains hidden secrets: the page has only a part of it, and saving would lose
 * the rest.
 */
export function hasHidden(value: unknown): boolean {
  return /\(hidden\)|\[redacted\]/.test(JSON.stringify(value) ?? '')
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function pairsOf(text: string, between: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf(between)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
