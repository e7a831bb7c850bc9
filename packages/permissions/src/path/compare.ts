import type { FileOperation } from '../decide/operation.ts'
import type { Rule } from '../rule/rule.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { fold, DEEP, type Glob, type GlobRelation, relationOf } from './glob.ts'
import {
  BaseFolders,
  type PathRule,
  type PathRules,
  type PathRuleLists,
  appliesTo,
} from './rules.ts'
import { pathOf, segmentsOf } from './segments.ts'
import type { Spellings } from './spellings.ts'

/** Finds the rules that cover a file. */
export interface Comparison {
  readonly baseFolders: BaseFolders
  readonly foldedFolders: BaseFolders
  /** A deny or ask rule that covers the file under any of its names. */
  readonly findMatch: (
    rules: PathRules,
    operation: FileOperation,
    file?: Spellings,
  ) => Rule | undefined
  /** A rule that refers to the same file by another hard link. */
  readonly findHardLink: (
    rules: PathRules,
    operation: FileOperation,
    file: Spellings,
  ) => Rule | undefined
  /** True if one of these rules refers to a file with another hard link. */
  readonly hasHardLinks: (rules: PathRules) => boolean
  /**
   * A deny or ask rule that may cover something in a folder, for operations on the whole folder.
   */
  readonly findBelow: (operation: FileOperation, file: Spellings) => Rule | undefined
  /** The first allow rule for a file. Every name of the file must be covered by one. */
  readonly findAllowing: (operation: FileOperation, file: Spellings) => Rule | undefined
  /**
   * True if rules list the readable files of the workspace, so that all other files need approval
   * to read.
   */
  readonly isReadingNarrowed: () => boolean
}

export function compare(lists: PathRuleLists, fileSystem: FileSystemView): Comparison {
  const baseFolders = new BaseFolders(fileSystem, (name) => name)
  const foldedFolders = new BaseFolders(fileSystem, fold)

  /**
   * True if a deny or ask rule has one of the expected relations to one of the names, ignoring
   * case.
   */
  function matches(
    rule: PathRule,
    names: readonly FileName[],
    expected: readonly GlobRelation[],
  ): boolean {
    const fits = (
      glob: Glob,
      where: BaseFolders,
      name: readonly string[],
      plain: readonly string[],
    ) =>
      where
        .below(rule, name)
        .some((rest) => expected.includes(relationOf(glob, rest)) && stays(glob, rest, plain))
    const stays = (glob: Glob, rest: readonly string[], plain: readonly string[]): boolean =>
      rule.except.length === 0 ||
      expected.includes('above') ||
      isNotExcepted(rule, glob, rest, plain)
    return (
      !rule.pattern ||
      names.some(
        ({ plain, folded, isFolded }) =>
          fits(rule.folded, foldedFolders, folded, plain) ||
          ((rule.classes || !isFolded) && fits(rule.glob, baseFolders, plain, plain)),
      )
    )
  }

  /**
   * True if a rule covers a file or a folder above it, unless that path exactly matches one of the
   * rule's exceptions.
   */
  function isNotExcepted(
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

  function findMatch(
    rules: PathRules,
    operation: FileOperation,
    file?: Spellings,
  ): Rule | undefined {
    if (!file)
      return rules.all.find(({ rule, pattern }) => !pattern && appliesTo(rule, operation))?.rule
    const names = namesOf(file)
    for (const candidate of rules.about(partsOf(names))) {
      if (!appliesTo(candidate.rule, operation)) continue
      if (matches(candidate, names, ['whole', 'inside'])) return candidate.rule
    }
    return undefined
  }

  function findHardLink(
    rules: PathRules,
    operation: FileOperation,
    file: Spellings,
  ): Rule | undefined {
    const target = fileSystem.identify?.(file.real)
    if (!target || target.isFolder || target.linkCount < 2) return undefined
    return rules.all.find(
      (candidate) =>
        appliesTo(candidate.rule, operation) &&
        filesOf(candidate).some((path) => fileSystem.identify?.(path)?.id === target.id),
    )?.rule
  }

  /** The files that match a rule without wildcards. */
  function filesOf({ pattern, glob }: PathRule): string[] {
    const names = glob.filter((part) => part !== DEEP)
    if (!pattern || !names.every((part) => typeof part === 'string')) return []
    return baseFolders.startsOf(pattern).map((folder) => pathOf([...folder, ...names]))
  }

  function hasHardLinks(rules: PathRules): boolean {
    return rules.all.some((rule) =>
      filesOf(rule).some((path) => (fileSystem.identify?.(path)?.linkCount ?? 1) > 1),
    )
  }

  function findBelow(operation: FileOperation, file: Spellings): Rule | undefined {
    const { kind, removes, moves, tool, each, matching, brings, stale, formerly } = operation
    const isFolder = fileSystem.identify?.(file.real)?.isFolder
    const usesContent =
      tool === undefined &&
      (moves || formerly
        ? isFolder !== false
        : isFolder && (kind === 'read' || matching || each !== undefined))
    // A file that an earlier command creates and this command moves or copies is unknown.
    const isMissing = fileSystem.identify !== undefined && isFolder === undefined
    const isNew = brings === undefined ? moves && stale && isMissing : stale !== undefined
    if (!removes && !usesContent && !isNew) return undefined
    const names = namesOf(file)
    return [...lists.deny.all, ...lists.ask.all].find(
      (candidate) =>
        candidate.pattern &&
        appliesTo(candidate.rule, operation) &&
        // The file keeps its name, so a rule for names already covered it when it was created.
        !(isNew && isByNameAlone(candidate)) &&
        (matches(candidate, names, ['above']) ||
          names.some((name) => isAboveStart(name, candidate))),
    )?.rule
  }

  /** True if the folder contains a folder that the pattern starts at. */
  function isAboveStart({ folded }: FileName, { pattern }: PathRule): boolean {
    return foldedFolders
      .startsOf(pattern!)
      .some((start) => folded.every((part, at) => part === start[at]))
  }

  function findAllowing(operation: FileOperation, file: Spellings): Rule | undefined {
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

  function isReadingNarrowed(): boolean {
    return (narrow ??= lists.allow.all.some(({ rule, pattern, glob }) => {
      if (rule.tool !== 'Read' || !pattern) return false
      const wild = glob.findIndex((part) => typeof part !== 'string')
      const fixed = (wild < 0 ? glob : glob.slice(0, wild)) as readonly string[]
      return baseFolders
        .startsOf(pattern)
        .some((folder) => baseFolders.contains([...folder, ...fixed]))
    }))
  }

  return {
    baseFolders,
    foldedFolders,
    findMatch,
    findHardLink,
    hasHardLinks,
    findBelow,
    findAllowing,
    isReadingNarrowed,
  }
}

/** True if a rule covers files by name only, in any folder. */
const isByNameAlone = ({ anywhere, glob }: PathRule): boolean =>
  anywhere && glob.length === 2 && glob[0] === DEEP && glob[1] !== DEEP

/** The parts of one name of a file, as written and case-folded. */
interface FileName {
  readonly plain: readonly string[]
  readonly folded: readonly string[]
  /** True if both are equal. */
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
