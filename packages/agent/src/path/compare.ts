import type { FileOperation } from '../permission/operation.ts'
import type { Rule } from '../permission/rule.ts'
import type { World } from '../permission/world.ts'
import { fold } from './fold.ts'
import { DEEP, type Lie, lieOf } from './glob.ts'
import { Places } from './places.ts'
import { type PathRule, type PathRules, type pathRules, speaksOf } from './rules.ts'
import { pathOf, segmentsOf } from './segments.ts'
import type { Spellings } from './spellings.ts'
import { type View, viewOf } from './view.ts'

/** How rules and files are compared on one machine. */
export interface Comparison {
  readonly places: Places
  readonly foldedPlaces: Places
  /** A rule that forbids or asks, and means the file under one of its names. */
  meets(rules: PathRules, operation: FileOperation, file?: Spellings): Rule | undefined
  /** A rule that denies the same file under a name that is not its own: a hard link. */
  sameFile(operation: FileOperation, file: Spellings): Rule | undefined
  /** A rule that denies or asks, and may mean something in the folder that all of is taken. */
  reaches(operation: FileOperation, file: Spellings): Rule | undefined
  /** A rule that allows; where names differ, each is allowed by one. */
  allows(operation: FileOperation, file: Spellings): Rule | undefined
  /** Whether rules say which files of the workspace may be read: then the others may not be. */
  narrowed(): boolean
}

/** Compare rules with files. */
export function compare(lists: ReturnType<typeof pathRules>, world: World): Comparison {
  const places = new Places(world, (name) => name)
  const foldedPlaces = new Places(world, fold)

  /** Whether a rule that forbids lies so to one of the names, in whatever case they are written. */
  function lies(rule: PathRule, view: View, expected: readonly Lie[]): boolean {
    if (!rule.pattern) return true
    return view
      .below(rule)
      .some(
        ({ plain, folded }) =>
          expected.includes(lieOf(rule.folded, folded)) ||
          (rule.wild && expected.includes(lieOf(rule.glob, plain))),
      )
  }

  function meets(rules: PathRules, operation: FileOperation, file?: Spellings): Rule | undefined {
    if (!file)
      return rules.all.find(({ rule, pattern }) => !pattern && speaksOf(rule, operation))?.rule
    const view = viewOf(file, places, foldedPlaces)
    for (const candidate of rules.about(view.parts)) {
      if (!speaksOf(candidate.rule, operation)) continue
      if (lies(candidate, view, ['whole', 'inside'])) return candidate.rule
    }
    return undefined
  }

  function sameFile(operation: FileOperation, file: Spellings): Rule | undefined {
    const thing = world.look?.(file.real)
    if (!thing || thing.folder || thing.names < 2) return undefined
    return lists.deny.all.find(({ rule, pattern, glob }) => {
      if (!pattern || !speaksOf(rule, operation)) return false
      const names = glob.filter((part) => part !== DEEP)
      if (!names.every((part) => typeof part === 'string')) return false
      return places
        .beginnings(pattern)
        .some((folder) => world.look?.(pathOf([...folder, ...names]))?.id === thing.id)
    })?.rule
  }

  function reaches(operation: FileOperation, file: Spellings): Rule | undefined {
    const { kind, removes, tool } = operation
    const reads = kind === 'read' && tool === undefined && world.look?.(file.real)?.folder === true
    if (!removes && !reads) return undefined
    const view = viewOf(file, places, foldedPlaces)
    return [...lists.deny.all, ...lists.ask.all].find(
      (candidate) =>
        candidate.pattern &&
        speaksOf(candidate.rule, operation) &&
        (lies(candidate, view, ['above']) || file.names.some((name) => holds(candidate, name))),
    )?.rule
  }

  /** Whether the folder is above the one a pattern begins at. */
  function holds({ pattern }: PathRule, name: string): boolean {
    const folder = foldedPlaces.shaped(name)
    return foldedPlaces
      .beginnings(pattern!)
      .some((start) => folder.every((part, at) => part === start[at]))
  }

  function allows(operation: FileOperation, file: Spellings): Rule | undefined {
    const { parts } = viewOf(file, places, foldedPlaces)
    const candidates = [...lists.allow.about(parts)].filter(({ rule }) => speaksOf(rule, operation))
    let found: Rule | undefined
    for (const name of file.names) {
      const path = segmentsOf(name)
      const allowing = candidates.find(({ pattern, glob }) =>
        pattern
          ? places.from(pattern, path).some((rest) => lieOf(glob, rest) === 'whole')
          : places.contains(path),
      )
      if (!allowing) return undefined
      found ??= allowing.rule
    }
    return found
  }

  function narrowed(): boolean {
    return lists.allow.all.some(({ rule, pattern, glob }) => {
      if (rule.tool !== 'Read' || !pattern) return false
      const wild = glob.findIndex((part) => typeof part !== 'string')
      const fixed = (wild < 0 ? glob : glob.slice(0, wild)) as readonly string[]
      return places.beginnings(pattern).some((folder) => places.contains([...folder, ...fixed]))
    })
  }

  return { places, foldedPlaces, meets, sameFile, reaches, allows, narrowed }
}
