import { cachedByRules, type Rule } from '../rule/rule.ts'
import type { FileOperation } from '../decide/operation.ts'
import { foldGlob, ANY_NAME, DEEP, type Glob } from './glob.ts'
import { type PathPattern, readPathPattern } from './pattern.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { relativeTo, segmentsOf } from './segments.ts'

/** A parsed rule about files. */
export interface PathRule {
  readonly rule: Rule
  /** Undefined if the rule covers every file. */
  readonly pattern?: PathPattern
  readonly glob: Glob
  readonly folded: Glob
  /** The rule's exceptions. */
  readonly except: readonly Glob[]
  /** Identifies the starting folder. */
  readonly base: string
  /** True if the rule matches at any depth. */
  readonly anywhere: boolean
  /**
   * True if the rule has character classes, which may match an original name but not the folded
   * one.
   */
  readonly classes: boolean
}

/** The rules with one verdict, indexed by a name that matching paths must contain. */
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

  /** The rules that may match a path with these folded names. */
  *about(names: ReadonlySet<string>): Iterable<PathRule> {
    yield* this.#others
    for (const name of names) yield* this.#byName.get(name) ?? []
  }
}

/** The rules about files, by verdict. */
export type PathRuleLists = Readonly<Record<Rule['verdict'], PathRules>>

/**
 * Collects the rules about files. An invalid pattern covers every file in a deny or ask rule, and
 * no file in an allow rule.
 */
export const pathRules: (rules: readonly Rule[]) => PathRuleLists = cachedByRules((rules) => {
  const lists = { allow: new PathRules(), ask: new PathRules(), deny: new PathRules() }
  for (const rule of rules) {
    if (!READERS.has(rule.tool) && !WRITERS.has(rule.tool) && rule.tool !== 'Read') continue
    const read = rule.verdict === 'allow' ? allowing(rule) : forbidding(rule)
    if (read) lists[rule.verdict].add(read)
  }
  return lists
})

/**
 * Reading tools whose allow rules cover only their own calls (rules for `Glob` also cover `ls`).
 * `Read` rules cover all reading.
 */
const READERS: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LSP'])
/** Writing tools. A rule for one covers all of them. */
const WRITERS: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])

/**
 * True if a rule covers this kind of operation. Denying `Read` also denies writing and listing;
 * allowing writing also allows reading.
 */
export function appliesTo({ tool, verdict, pattern }: Rule, operation: FileOperation): boolean {
  const allows = verdict === 'allow'
  const writes = operation.kind === 'write'
  if (tool === 'Read') return !allows || !writes
  if (WRITERS.has(tool)) return allows || writes
  if (operation.tool === tool) return !writes
  if (operation.tool !== undefined || writes || pattern === undefined) return false
  // A command that lists names shows the same as `Glob`.
  return !allows || (tool === 'Glob' && operation.kind === 'list')
}

function forbidding(rule: Rule): PathRule {
  const pattern = patternOf(rule)
  if (!pattern) return everyFile(rule)
  if (rule.except) return excepting(rule, pattern, rule.except)
  const names = [...pattern.glob]
  // A rule that denies a folder denies all files in it, so `a/**` is equivalent to `a`.
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

/** A deny rule with exceptions. They may be in a folder whose whole content it covers. */
function excepting(rule: Rule, pattern: PathPattern, except: readonly string[]): PathRule {
  const globs = except.flatMap((text) => {
    const read = readPathPattern(text, rule.source)
    return typeof read === 'string' ? [] : [globOfContent(read)]
  })
  return { ...pathRuleOf(rule, pattern, globOfContent(pattern)), except: globs }
}

/** `a/**` covers the content of `a` but not `a` itself. */
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

/** The starting folders of patterns, each under all of its names. */
export class BaseFolders {
  readonly #fileSystem: FileSystemView
  readonly #shape: (name: string) => string
  readonly #folders = new Map<string, readonly string[][]>()
  readonly #known = new WeakMap<readonly string[], Map<string, readonly string[][]>>()

  #allRoots: readonly string[][] | undefined
  #allFolders: readonly string[][] | undefined

  /** `shape` converts a name to the form to compare: unchanged or folded. */
  constructor(fileSystem: FileSystemView, shape: (name: string) => string) {
    this.#fileSystem = fileSystem
    this.#shape = shape
  }

  /** The parts of a path in the form to compare. */
  shaped(path: string): string[] {
    return segmentsOf(path).map(this.#shape)
  }

  /** A path relative to the folders that a rule starts at. */
  below({ pattern, base, anywhere }: PathRule, path: readonly string[]): readonly string[][] {
    if (!pattern) return [[...path]]
    const before = this.#known.get(path)
    const known = before ?? new Map<string, readonly string[][]>()
    if (!before) this.#known.set(path, known)
    let found = known.get(base)
    if (!found) {
      found = anywhere ? this.anywhere(path) : relatives(this.startsOf(pattern), path)
      known.set(base, found)
    }
    return found
  }

  /** A path relative to the workspace, or the whole path if it is outside. */
  anywhere(path: readonly string[]): string[][] {
    const inside = relatives(this.#workspace(), path)
    return inside.length > 0 ? inside : [[...path]]
  }

  /** True if a path is in the workspace or is one of its folders. */
  contains(path: readonly string[]): boolean {
    return this.#roots().some((root) => relativeTo(root, path))
  }

  /** The folders of the workspace and the home folder, each under all of its names. */
  get folders(): string[][] {
    return [...this.#workspace(), ...this.#namesOf(this.#fileSystem.home)]
  }

  /** The starting folders of a pattern. */
  startsOf(pattern: PathPattern): readonly string[][] {
    const { from, up, root } = pattern
    if (from === 'disk') return [[]]
    const folders =
      from === 'home'
        ? this.#namesOf(this.#fileSystem.home)
        : from === 'settings' && root !== undefined
          ? this.#namesOf(root)
          : this.#workspace()
    return up === 0 ? folders : folders.map((folder) => folder.slice(0, -up))
  }

  #workspace(): readonly string[][] {
    return (this.#allFolders ??= [...this.#namesOf(this.#fileSystem.cwd), ...this.#roots()])
  }

  #roots(): readonly string[][] {
    return (this.#allRoots ??= this.#fileSystem.roots.flatMap((root) => this.#namesOf(root)))
  }

  #namesOf(folder: string): readonly string[][] {
    const known = this.#folders.get(folder)
    if (known) return known
    const names = [folder, ...(this.#fileSystem.follow(folder) ?? [])]
    const found = [...new Set(names)].map((name) => this.shaped(name))
    this.#folders.set(folder, found)
    return found
  }
}

function relatives(folders: readonly (readonly string[])[], path: readonly string[]): string[][] {
  return folders.flatMap((folder) => {
    const rest = relativeTo(folder, path)
    return rest ? [rest] : []
  })
}
