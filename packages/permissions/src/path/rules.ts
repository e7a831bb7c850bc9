import { cachedByRules } from '../rule/cache.ts'
import type { FileOperation } from '../decide/operation.ts'
import type { Rule } from '../rule/rule.ts'
import { foldGlob } from './fold.ts'
import { ANY_NAME, DEEP, type Glob } from './glob.ts'
import { type PathPattern, readPathPattern } from './pattern.ts'

/** A rule that speaks of files, ready to be compared. */
export interface PathRule {
  readonly rule: Rule
  /** Undefined: it speaks of every file. */
  readonly pattern?: PathPattern
  readonly glob: Glob
  readonly folded: Glob
  /** What it does not mean after all. */
  readonly except: readonly Glob[]
  /** Where it begins, in words that are the same for all that begin there. */
  readonly base: string
  /** It means what it says at any depth. */
  readonly anywhere: boolean
  /** It has classes of characters, which may mean a name as it is and not folded. */
  readonly classes: boolean
}

/** The rules of one verdict, found by a name that a path must contain to be meant. */
export class PathRules {
  readonly all: PathRule[] = []
  readonly #byName = new Map<string, PathRule[]>()
  readonly #others: PathRule[] = []

  add(rule: PathRule): void {
    this.all.push(rule)
    const name = rule.folded.find((part) => typeof part === 'string')
    const same = name === undefined ? this.#others : this.#byName.get(name)
    if (same) same.push(rule)
    else this.#byName.set(name!, [rule])
  }

  /** Those that may be about a path with these names, folded. */
  *about(names: ReadonlySet<string>): Iterable<PathRule> {
    yield* this.#others
    for (const name of names) yield* this.#byName.get(name) ?? []
  }
}

/** The rules that speak of files, by what they say. */
export type PathRuleLists = Readonly<Record<Rule['verdict'], PathRules>>

/** Rules that speak of files. A pattern that cannot be read denies and asks everywhere, and allows nothing. */
export const pathRules: (rules: readonly Rule[]) => PathRuleLists = cachedByRules((rules) => {
  const lists = { allow: new PathRules(), ask: new PathRules(), deny: new PathRules() }
  for (const rule of rules) {
    if (!READERS.has(rule.tool) && !WRITERS.has(rule.tool) && rule.tool !== 'Read') continue
    const read = rule.verdict === 'allow' ? allowing(rule) : forbidding(rule)
    if (read) lists[rule.verdict].add(read)
  }
  return lists
})

/** Tools that read, whose rules are about their own calls; those of `Read` are about every reading. */
const READERS: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LSP'])
/** Tools that write: a rule of one is a rule of all. */
const WRITERS: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])

/** Whether a rule is about what an operation does. Who may not read may not write or list; who may write may read. */
export function appliesTo({ tool, verdict, pattern }: Rule, operation: FileOperation): boolean {
  const allows = verdict === 'allow'
  const writes = operation.kind === 'write'
  if (tool === 'Read') return !allows || !writes
  if (WRITERS.has(tool)) return allows || writes
  if (operation.tool === tool) return !writes
  return operation.tool === undefined && !allows && !writes && pattern !== undefined
}

function forbidding(rule: Rule): PathRule {
  const pattern = patternOf(rule)
  if (!pattern) return everyFile(rule)
  if (rule.except) return excepting(rule, pattern, rule.except)
  const names = [...pattern.glob]
  // What lies in a denied folder is denied, so `a/**` says no more than `a`.
  while (names.at(-1) === DEEP) names.pop()
  const anywhere = pattern.bare && (names.length === 1 || (names[0] === DEEP && names.length > 1))
  const glob: Glob = anywhere && names[0] !== DEEP ? [DEEP, ...names] : names
  return pathRuleOf(rule, pattern, glob, anywhere)
}

function allowing(rule: Rule): PathRule | undefined {
  const pattern = patternOf(rule)
  if (!pattern) return rule.pattern === undefined ? everyFile(rule) : undefined
  return pathRuleOf(rule, pattern, globOfContent(pattern))
}

/** A rule whose exceptions may lie in a folder that it means all content of. */
function excepting(rule: Rule, pattern: PathPattern, except: readonly string[]): PathRule {
  const globs = except.flatMap((text) => {
    const read = readPathPattern(text, rule.source)
    return typeof read === 'string' ? [] : [globOfContent(read)]
  })
  return { ...pathRuleOf(rule, pattern, globOfContent(pattern)), except: globs }
}

/** `a/**` is what lies in `a`, not `a` itself. */
function globOfContent({ glob }: PathPattern): Glob {
  return glob.at(-1) === DEEP ? [...glob, ANY_NAME] : glob
}

function everyFile(rule: Rule): PathRule {
  return { rule, glob: [], folded: [], except: [], base: '', anywhere: false, classes: false }
}

function pathRuleOf(rule: Rule, pattern: PathPattern, glob: Glob, anywhere = false): PathRule {
  const classes = glob.some(
    (part) => typeof part === 'object' && part.marks.some((mark) => typeof mark === 'object'),
  )
  const base = anywhere ? 'anywhere' : `${pattern.from} ${pattern.up} ${pattern.root}`
  return { rule, pattern, glob, folded: foldGlob(glob), except: [], base, anywhere, classes }
}

function patternOf(rule: Rule): PathPattern | undefined {
  if (rule.pattern === undefined) return undefined
  const pattern = readPathPattern(rule.pattern, rule.source)
  return typeof pattern === 'string' ? undefined : pattern
}
