import type { RuleSource } from '../rule/rule.ts'
import {
  DEEP,
  type Glob,
  type Name,
  type CharacterClass,
  MANY,
  type Mark,
  ONE,
  relationOf,
} from './glob.ts'
import { invisibleIn } from './invisible.ts'

/** The pattern of a path rule: `src/**`, `/docs/*.md`, `~/notes/**`, `//etc/hosts`. */
export interface PathPattern {
  /**
   * The starting folder: the folder of its settings, the workspace, the home folder, or the root of
   * the file system.
   */
  readonly from: 'settings' | 'start' | 'home' | 'disk'
  /** The folder of its settings, if known. */
  readonly root: string | undefined
  /** The number of folders above it: one for `../x`. */
  readonly up: number
  /**
   * True if the pattern has no explicit starting folder, so a deny rule for a single name covers it
   * at any depth.
   */
  readonly bare: boolean
  readonly glob: Glob
}

/** The maximum length of a pattern. */
const MAX = 4096

/** The pattern of a path rule, or a sentence that describes its problem. */
export function readPathPattern(pattern: string, source: RuleSource): PathPattern | string {
  const problem = wrongIn(pattern)
  if (problem !== undefined) return problem
  const [from, rest] = beginning(pattern)
  const names: Name[] = []
  let up = 0
  for (const text of rest.split('/')) {
    if (text === '' || text === '.') continue
    if (text === '..') {
      const last = names.pop()
      if (last === undefined) up++
      else if (typeof last !== 'string') return '".." after a wildcard is not supported.'
      continue
    }
    const read = readName(text)
    if ('problem' in read) return read.problem
    if (read.name !== DEEP || names.at(-1) !== DEEP) names.push(read.name)
  }
  // `src/` covers the folder and all of its content.
  if (pattern.endsWith('/') && names.length > 0 && names.at(-1) !== DEEP) names.push(DEEP)
  if (from === 'disk' && up > 0) return 'There is no folder above "//".'
  const bare = from === 'start' && !/^\.\.?(\/|$)/.test(pattern)
  return { from, root: source.root, up, bare, glob: names }
}

function beginning(pattern: string): [PathPattern['from'], string] {
  if (pattern.startsWith('//')) return ['disk', pattern.slice(2)]
  if (pattern.startsWith('/')) return ['settings', pattern.slice(1)]
  return pattern === '~' || pattern.startsWith('~/')
    ? ['home', pattern.slice(1)]
    : ['start', pattern]
}

function wrongIn(pattern: string): string | undefined {
  if (pattern === '') return 'The path is empty.'
  if (pattern.length > MAX) return `The pattern is longer than ${MAX} characters.`
  if (pattern.trim() !== pattern) return 'Remove the spaces at the start or the end.'
  const invisible = invisibleIn(pattern)
  if (invisible !== undefined) return `The pattern contains ${invisible}.`
  if (pattern.startsWith('!')) return 'Rules cannot be negated. Remove "!".'
  if (pattern.startsWith('~') && pattern !== '~' && !pattern.startsWith('~/'))
    return 'Only your own home folder is supported: "~/".'
  if (pattern.startsWith('$')) return 'Variables are not supported. Write "~/" for the home folder.'
  if (isDrive(pattern)) return 'Write a drive as "//c/", and use "/" instead of "\\".'
  if (pattern.includes('://')) return 'This is a URL, not a path.'
  return hasAlternatives(pattern)
    ? 'Braces are not supported. Write one rule for each alternative.'
    : undefined
}

function isDrive(pattern: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(pattern) || pattern.startsWith('\\\\')
}

/** True for `{a,b}`, unless the brace is escaped: `\{`. */
function hasAlternatives(pattern: string): boolean {
  let open = false
  let comma = false
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at]
    if (letter === '\\') at++
    else if (letter === '{') {
      open = true
      comma = false
    } else if (letter === ',') comma = true
    else if (letter === '}' && open && comma) return true
  }
  return false
}

/** Parses one part of a pattern: `*`, `?`, `[a-z]`, `[!a]`, and `\` before a literal character. */
export function readName(text: string): { readonly name: Name } | { readonly problem: string } {
  if (text === '**') return { name: DEEP }
  const marks: Mark[] = []
  const letters = Array.from(text)
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at]!
    if (letter === '*') {
      if (marks.at(-1) !== MANY) marks.push(MANY)
    } else if (letter === '?') marks.push(ONE)
    else if (letter === '\\') {
      const next = letters[++at]
      if (next === undefined) return { problem: 'There is no character after the last "\\".' }
      marks.push(next)
    } else if (letter === '[') {
      const found = readClass(letters, at + 1)
      if ('problem' in found) return found
      marks.push(found.class)
      at = found.end
    } else marks.push(letter)
  }
  return { name: nameOf(marks) }
}

function nameOf(marks: readonly Mark[]): Name {
  const isMark = (mark: Mark): boolean => typeof mark !== 'string'
  const first = marks.findIndex(isMark)
  if (first < 0) return lettersOf(marks)
  let end = marks.length
  while (!isMark(marks[end - 1]!)) end--
  return {
    head: lettersOf(marks.slice(0, first)),
    marks: marks.slice(first, end),
    tail: lettersOf(marks.slice(end)),
  }
}

function lettersOf(marks: readonly Mark[]): string {
  return marks.filter((mark) => typeof mark === 'string').join('')
}

/** Parses the text between `[` and `]`. A `]` at the start is one of the characters. */
function readClass(
  letters: readonly string[],
  from: number,
): { class: CharacterClass; end: number } | { problem: string } {
  let at = from
  const not = letters[at] === '!' || letters[at] === '^'
  if (not) at++
  const ranges: [number, number][] = []
  for (let first = true; first || letters[at] !== ']'; first = false) {
    const low = letterAt(letters, at)
    if (!low) return { problem: '"[" is never closed with "]".' }
    if (low.letter === '[' && ':.='.includes(letters[at + 1] ?? ' '))
      return { problem: 'Named classes such as [:alpha:] are not supported. Write [a-zA-Z].' }
    at = low.end
    const isRange = letters[at] === '-' && letters[at + 1] !== ']' && letters[at + 1] !== undefined
    const high = isRange ? letterAt(letters, at + 1) : low
    if (!high) return { problem: '"[" is never closed with "]".' }
    const range: [number, number] = [low.letter.codePointAt(0)!, high.letter.codePointAt(0)!]
    if (range[0] > range[1]) return { problem: `Invalid range: ${low.letter}-${high.letter}.` }
    ranges.push(range)
    at = high.end
  }
  return { class: { not, ranges }, end: at }
}

function letterAt(
  letters: readonly string[],
  at: number,
): { letter: string; end: number } | undefined {
  const escaped = letters[at] === '\\'
  const letter = letters[escaped ? at + 1 : at]
  return letter === undefined ? undefined : { letter, end: at + (escaped ? 2 : 1) }
}

/**
 * Returns a test for names that match one of these patterns. An invalid pattern may match anything.
 */
export function namesMatch(patterns: readonly string[]): (name: string) => boolean {
  const globs = patterns.map((pattern): Glob | undefined => {
    const read = readName(pattern)
    return 'problem' in read ? undefined : [read.name]
  })
  return (name) => globs.some((glob) => !glob || relationOf(glob, [name]) === 'whole')
}
