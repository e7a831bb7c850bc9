import type { Each } from '../decide/operation.ts'

/** The folders a command may find itself in; undefined: nobody can tell. Mostly one. */
export type Place = readonly (string | undefined)[]

/** Where the shell is after a command, if it succeeded and if it failed. */
export interface Arrival {
  readonly success: Place
  readonly failure: Place
  /** The names of files that it prints; undefined: that cannot be told. */
  readonly names?: Names
}

/** Names of files that a command prints. */
export interface Names {
  readonly paths: readonly string[]
  /** It prints those of the files in these folders. */
  readonly each?: Each
}

/** The same, but for what it prints: something else may be printed with it. */
export const withoutNames = ({ success, failure }: Arrival): Arrival => ({ success, failure })

export const stays = (place: Place): Arrival => ({ success: place, failure: place })

export const either = (...places: readonly Place[]): Place => {
  if (places.every((place) => place === places[0])) return places[0] ?? []
  const all = [...new Set(places.flat())]
  return all.length > 4 ? [undefined] : all
}

/** What may have happened: one outcome, or another. */
export const eitherOutcome = (one: Arrival, other: Arrival): Arrival => ({
  success: either(one.success, other.success),
  failure: either(one.failure, other.failure),
})

export const after = (outcome: Arrival): Place => either(outcome.success, outcome.failure)

export const samePlace = (one: Place, other: Place): boolean =>
  one.length === other.length && one.every((folder) => other.includes(folder))

/** Where `cd target` leads from each folder. */
export const moved = (place: Place, target: string | undefined): Place =>
  either(place.map((folder) => (target === undefined ? undefined : join(folder, target))))

/** An absolute path without `.` and `..`, as the shell itself reckons. */
function join(folder: string | undefined, path: string): string | undefined {
  if (!path.startsWith('/') && folder === undefined) return undefined
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
