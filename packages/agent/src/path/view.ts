import { fold } from './fold.ts'
import type { Places } from './places.ts'
import type { PathRule } from './rules.ts'
import { segmentsOf } from './segments.ts'
import type { Spellings } from './spellings.ts'

/** The names of a file as rules look at them, each worked out once. */
export interface View {
  /** Every part of every name, folded. */
  readonly parts: ReadonlySet<string>
  /** For each name that lies where the rule begins: what of it lies below, as it is and folded. */
  below(rule: PathRule): readonly Below[]
}

export interface Below {
  readonly plain: readonly string[]
  readonly folded: readonly string[]
}

/** Look at a file from the places where rules begin. */
export function viewOf(file: Spellings, places: Places, foldedPlaces: Places): View {
  const names = file.names.map((name) => {
    const plain = segmentsOf(name)
    return { plain, folded: plain.map(fold) }
  })
  const known = new Map<string, readonly Below[]>()

  function below(rule: PathRule): readonly Below[] {
    const { pattern, anywhere } = rule
    if (!pattern) return names
    const key = anywhere ? 'anywhere' : `${pattern.from} ${pattern.up} ${pattern.root}`
    const before = known.get(key)
    if (before) return before
    const found = names.flatMap(({ plain, folded }) => {
      const rests = anywhere ? foldedPlaces.anywhere(folded) : foldedPlaces.from(pattern, folded)
      // A folded name has as many parts as the name itself.
      return rests.map((rest) => ({
        plain: plain.slice(plain.length - rest.length),
        folded: rest,
      }))
    })
    known.set(key, found)
    return found
  }

  return { parts: new Set(names.flatMap(({ folded }) => folded)), below }
}
