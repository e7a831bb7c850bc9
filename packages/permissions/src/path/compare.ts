import type { FileOperation } from '../decide/operation.ts'
import type { Rule } from '../rule/rule.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { fold } from './fold.ts'
import { DEEP, type Glob, type GlobRelation, relationOf } from './glob.ts'
import { BaseFolders } from './base-folders.ts'
import { type PathRule, type PathRules, type PathRuleLists, appliesTo } from './rules.ts'
import { pathOf, segmentsOf } from './segments.ts'
import type { Spellings } from './spellings.ts'

/** How rules and files are compared on one machine. */
export interface Comparison {
  readonly baseFolders: BaseFolders
  readonly foldedFolders: BaseFolders
  /** A rule that forbids or asks, and means the file under one of its names. */
  readonly meets: (rules: PathRules, operation: FileOperation, file?: Spellings) => Rule | undefined
  /** A rule about the same file under a name that is not its own: a hard link. */
  readonly sameFile: (
    rules: PathRules,
    operation: FileOperation,
    file: Spellings,
  ) => Rule | undefined
  /** A rule that denies or asks, and may mean something in the folder that all of is taken. */
  readonly reaches: (operation: FileOperation, file: Spellings) => Rule | undefined
  /** A rule that allows; where names differ, each is allowed by one. */
  readonly allows: (operation: FileOperation, file: Spellings) => Rule | undefined
  /** Whether rules say which files of the workspace may be read: then the others may not be. */
  readonly narrowed: () => boolean
}

/** Compare rules with files. */
export function compare(lists: PathRuleLists, fileSystem: FileSystemView): Comparison {
  const baseFolders = new BaseFolders(fileSystem, (name) => name)
  const foldedFolders = new BaseFolders(fileSystem, fold)

  /** Whether a rule that forbids lies so to one of the names, in whatever case they are written. */
  function lies(
    rule: PathRule,
    names: readonly FileName[],
    expected: readonly GlobRelation[],
  ): boolean {
    const fits = (glob: Glob, where: BaseFolders, name: readonly string[], plain: readonly string[]) =>
      where
        .below(rule, name)
        .some((rest) => expected.includes(relationOf(glob, rest)) && stays(glob, rest, plain))
    const stays = (glob: Glob, rest: readonly string[], plain: readonly string[]): boolean =>
      rule.except.length === 0 || expected.includes('above') || isLeft(rule, glob, rest, plain)
    return (
      !rule.pattern ||
      names.some(
        ({ plain, folded, isFolded }) =>
          fits(rule.folded, foldedFolders, folded, plain) ||
          ((rule.classes || !isFolded) && fits(rule.glob, baseFolders, plain, plain)),
      )
    )
  }

  /** Whether a rule means a file, or a folder on the way to it, that none of its exceptions is about to the letter. */
  function isLeft(
    rule: PathRule,
    glob: Glob,
    rest: readonly string[],
    plain: readonly string[],
  ): boolean {
    const written = baseFolders.below(rule, plain)
    return rest.some((_, index) => {
      const way = (names: readonly string[]): readonly string[] => names.slice(0, index + 1)
      if (relationOf(glob, way(rest)) !== 'whole') return false
      return !written.some((names) =>
        rule.except.some((each) => relationOf(each, way(names)) === 'whole'),
      )
    })
  }

  function meets(rules: PathRules, operation: FileOperation, file?: Spellings): Rule | undefined {
    if (!file)
      return rules.all.find(({ rule, pattern }) => !pattern && appliesTo(rule, operation))?.rule
    const names = namesOf(file)
    for (const candidate of rules.about(partsOf(names))) {
      if (!appliesTo(candidate.rule, operation)) continue
      if (lies(candidate, names, ['whole', 'inside'])) return candidate.rule
    }
    return undefined
  }

  function sameFile(rules: PathRules, operation: FileOperation, file: Spellings): Rule | undefined {
    const thing = fileSystem.identify?.(file.real)
    if (!thing || thing.isFolder || thing.linkCount < 2) return undefined
    return rules.all.find(({ rule, pattern, glob }) => {
      if (!pattern || !appliesTo(rule, operation)) return false
      const names = glob.filter((part) => part !== DEEP)
      if (!names.every((part) => typeof part === 'string')) return false
      return baseFolders
        .beginnings(pattern)
        .some((folder) => fileSystem.identify?.(pathOf([...folder, ...names]))?.id === thing.id)
    })?.rule
  }

  function reaches(operation: FileOperation, file: Spellings): Rule | undefined {
    const { kind, removes, tool } = operation
    const reads =
      kind === 'read' && tool === undefined && fileSystem.identify?.(file.real)?.isFolder === true
    if (!removes && !reads) return undefined
    const names = namesOf(file)
    return [...lists.deny.all, ...lists.ask.all].find(
      (candidate) =>
        candidate.pattern &&
        appliesTo(candidate.rule, operation) &&
        (lies(candidate, names, ['above']) || names.some((name) => holds(name, candidate))),
    )?.rule
  }

  /** Whether the folder is above the one a pattern begins at. */
  function holds({ folded }: FileName, { pattern }: PathRule): boolean {
    return foldedFolders
      .beginnings(pattern!)
      .some((start) => folded.every((part, at) => part === start[at]))
  }

  function allows(operation: FileOperation, file: Spellings): Rule | undefined {
    const names = namesOf(file)
    const candidates = [...lists.allow.about(partsOf(names))].filter(({ rule }) =>
      appliesTo(rule, operation),
    )
    let found: Rule | undefined
    for (const { plain } of names) {
      const allowing = candidates.find((rule) =>
        rule.pattern
          ? baseFolders.below(rule, plain).some((rest) => relationOf(rule.glob, rest) === 'whole')
          : baseFolders.contains(plain),
      )
      if (!allowing) return undefined
      found ??= allowing.rule
    }
    return found
  }

  let narrow: boolean | undefined

  function narrowed(): boolean {
    return (narrow ??= lists.allow.all.some(({ rule, pattern, glob }) => {
      if (rule.tool !== 'Read' || !pattern) return false
      const wild = glob.findIndex((part) => typeof part !== 'string')
      const fixed = (wild < 0 ? glob : glob.slice(0, wild)) as readonly string[]
      return baseFolders.beginnings(pattern).some((folder) => baseFolders.contains([...folder, ...fixed]))
    }))
  }

  return { baseFolders, foldedFolders, meets, sameFile, reaches, allows, narrowed }
}

/** One name of a file, as it is and folded. */
interface FileName {
  readonly plain: readonly string[]
  readonly folded: readonly string[]
  /** Both are the same. */
  readonly isFolded: boolean
}

function namesOf(file: Spellings): FileName[] {
  return file.names.map((name) => {
    const plain = segmentsOf(name)
    const folded = plain.map(fold)
    return { plain, folded, isFolded: plain.every((part, at) => part === folded[at]) }
  })
}

function partsOf(names: readonly FileName[]): ReadonlySet<string> {
  return new Set(names.flatMap(({ folded }) => folded))
}
