import type { RuleSource } from '../rule/rule.ts'
import { DEEP, type Glob, type Name } from './glob.ts'
import { invisibleIn } from './invisible.ts'
import { readName } from './read-name.ts'

/** The pattern of a path rule: `src/**`, `/docs/*.md`, `~/notes/**`, `//etc/hosts`. */
export interface PathPattern {
  /** Where it begins: at the folder of its settings, at the one the work began in, at home, or at the top of the disk. */
  readonly from: 'settings' | 'start' | 'home' | 'disk'
  /** The folder of its settings, where that is known. */
  readonly root: string | undefined
  /** How many folders above that: `../x` is one. */
  readonly up: number
  /** Written without a place where it begins, so that a deny of one name means it at any depth. */
  readonly bare: boolean
  readonly glob: Glob
}

/** Longer patterns are a mistake. */
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
      else if (typeof last !== 'string') return 'Nobody knows where ".." behind a wildcard leads.'
      continue
    }
    const read = readName(text)
    if ('problem' in read) return read.problem
    if (read.name !== DEEP || names.at(-1) !== DEEP) names.push(read.name)
  }
  // `src/` is the folder and all that is in it.
  if (pattern.endsWith('/') && names.length > 0 && names.at(-1) !== DEEP) names.push(DEEP)
  if (from === 'disk' && up > 0) return 'Nothing lies above "//".'
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
  if (pattern.trim() !== pattern) return 'Spaces at the beginning or the end are a mistake.'
  const odd = invisibleIn(pattern)
  if (odd !== undefined) return `The pattern contains ${odd}.`
  if (pattern.startsWith('!')) return 'A rule cannot take another back: leave "!" out.'
  if (pattern.startsWith('~') && pattern !== '~' && !pattern.startsWith('~/'))
    return 'Only one\'s own home can be named: "~/".'
  if (pattern.startsWith('$')) return 'Variables are not known here: write "~/" for the home.'
  if (isDrive(pattern)) return 'Write a drive as "//c/", and "/" for "\\".'
  if (pattern.includes('://')) return 'Expected a path, got an address.'
  return hasAlternatives(pattern)
    ? 'Alternatives in braces are not known: write one rule for each.'
    : undefined
}

function isDrive(pattern: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(pattern) || pattern.startsWith('\\\\')
}

/** `{a,b}`, unless `\{` says that a brace is meant. */
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
