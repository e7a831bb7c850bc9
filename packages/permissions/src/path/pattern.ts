import type { RuleSource } from '../rule/rule.ts'
import { DEEP, type Glob, type Name } from './glob.ts'
import { invisibleIn } from './invisible.ts'
import { readName } from './read-name.ts'

/** The pattern of a path rule: `src/**`, `/docs/*.md`, `~/notes/**`, `//etc/hosts`. */
export interface PathPattern {
  /** Where it starts: the folder of its settings, the workspace, the home folder, or the root of the file system. */
  readonly from: 'settings' | 'start' | 'home' | 'disk'
  /** The folder of its settings, if known. */
  readonly root: string | undefined
  /** How many folders above that: one for `../x`. */
  readonly up: number
  /** It doesn't name where it starts, so a deny of a single name covers it at any depth. */
  readonly bare: boolean
  readonly glob: Glob
}

/** Longer patterns are invalid. */
const MAX = 4096

/** The pattern of a path rule; or what is wrong with it. */
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
  // `src/` covers the folder and everything in it.
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
  if (pattern === '') return 'Expected a path.'
  if (pattern.length > MAX) return `The pattern is longer than ${MAX} characters.`
  if (pattern.trim() !== pattern) return 'Remove the spaces at the start or the end.'
  const invisible = invisibleIn(pattern)
  if (invisible !== undefined) return `The pattern contains ${invisible}.`
  if (pattern.startsWith('!')) return 'Rules cannot be negated. Remove "!".'
  if (pattern.startsWith('~') && pattern !== '~' && !pattern.startsWith('~/'))
    return 'Only your own home folder is supported: "~/".'
  if (pattern.startsWith('$')) return 'Variables are not supported. Write "~/" for the home folder.'
  if (isDrive(pattern)) return 'Write a drive as "//c/", and use "/" instead of "\\".'
  if (pattern.includes('://')) return 'Expected a path, got a URL.'
  return hasAlternatives(pattern)
    ? 'Braces are not supported. Write one rule for each alternative.'
    : undefined
}

function isDrive(pattern: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(pattern) || pattern.startsWith('\\\\')
}

/** `{a,b}`, unless the brace is escaped: `\{`. */
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
