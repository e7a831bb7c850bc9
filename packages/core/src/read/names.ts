import { cached, kept } from './cached.ts'
import { Marks } from './marks.ts'

/** The names of the tools, for a search that ignores case. */
export type Names = Marks

const known = new Map<string, Names>()

/** The names of these tools. Cached, so that other caches can use the identity of the set. */
export function namesOf(tools: readonly { readonly name: string }[]): Names {
  // A frozen list cannot change, so its names are cached by its identity.
  return Object.isFrozen(tools) ? kept(lists, tools, () => find(tools)) : find(tools)
}

const lists = new WeakMap<readonly object[], Names>()

function find(tools: readonly { readonly name: string }[]): Names {
  const names = tools.map(({ name }) => name)
  return cached(known, JSON.stringify(names), () => {
    return new Marks(new Set(names.flatMap((name) => [name, byNumber(name)])), true)
  })
}

/**
 * An argument's name in a form that can be written between marks. Characters that would end it
 * become numeric HTML entities:
 *
 *     a>b   a&#62;b
 *
 * `next` is the text after it in its picture. With `literal`, a name with a special meaning there
 * is escaped too.
 */
export function writtenKey(key: string, next = '', literal = false): string {
  if (key === '') return '&#;'
  let written = ''
  for (let i = 0; i < key.length; i++) {
    const char = key[i]!
    const edge = i === 0 || i === key.length - 1
    const odd =
      ENDS.has(char) ||
      char === next[0] ||
      (edge && char.trim() === '') ||
      (char === '&' && key[i + 1] === '#') ||
      (literal && i === 0)
    written += odd ? numbered(char) : char
  }
  return written
}

/** The marks that end an argument's name or are not allowed in one. */
const ENDS = new Set('\n\r<>"\\「」\u2060'.split(''))

/**
 * A tool's name in a form that can be written before `next`: unchanged, or with everything but
 * letters, digits and `_ . -` as numeric entities. Thus a name has only two forms.
 */
export function writtenName(name: string, next = ''): string {
  // A list or another mark may end with any character.
  const plain = /^[\p{L}\p{N}_]/u.test(name) && writtenKey(name, next.trimStart()) === name
  return plain ? name : byNumber(name)
}

/** Like `writtenName`, for the name of an element. */
export function writtenElement(name: string): string {
  return /^[\p{L}\p{N}_.:-]+$/u.test(name) ? name : byNumber(name)
}

function byNumber(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]/gu, (char) => char.replace(/[^]/g, numbered))
}

function numbered(unit: string): string {
  return `&#${unit.charCodeAt(0)};`
}

/** Decodes a name. */
export function meantKey(written: string): string {
  return written.replace(/&#([0-9]{0,5});/g, (_, code: string) =>
    code === '' ? '' : String.fromCharCode(Number(code)),
  )
}
