import { isSpace } from '../read/readers.ts'

/** The codes of JSON's characters. */
export const QUOTE: number = 34
export const COMMA: number = 44
export const SLASH: number = 47
export const COLON: number = 58
export const OPEN_LIST: number = 91
export const BACKSLASH: number = 92
export const CLOSE_LIST: number = 93
export const OPEN: number = 123
export const CLOSE: number = 125

/** Text as the content of a JSON string. Most text needs no escapes. */
export function jsonContent(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text).slice(1, -1) : text
}

// oxlint-disable-next-line no-control-regex -- these are what JSON must escape
const SPECIAL = /["\\\x00-\x1f\ud800-\udfff]/

/**
 * The first key that occurs twice in one object of a JSON text, at any depth. `JSON.parse` silently
 * keeps the last value.
 */
export function duplicateKeyIn(json: string): string | undefined {
  const open: Set<string>[] = []
  for (let at = 0; at < json.length; at++) {
    if (json[at] === '{') open.push(new Set())
    else if (json[at] === '}') open.pop()
    else if (json[at] === '"') {
      const start = at
      while (++at < json.length && json[at] !== '"') if (json[at] === '\\') at++
      let next = at + 1
      while (isSpace(json.charCodeAt(next))) next++
      if (json[next] !== ':') continue
      const key = JSON.parse(json.slice(start, at + 1)) as string
      if (open.at(-1)?.has(key)) return key
      open.at(-1)?.add(key)
    }
  }
  return undefined
}
