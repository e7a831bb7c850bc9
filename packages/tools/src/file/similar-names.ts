import { editDistance } from '@toolglot/permissions/internal'

/**
 * Names that a missing name was probably meant to be, most likely first. Unlike `nearest` in the permissions package, it
 * ignores Unicode form, quotes and separators, and accepts prefixes: file names vary more than keys and tool names.
 */
export function similarNames(name: string, names: readonly string[], max = 3): string[] {
  const wanted = normalize(name)
  return names
    .map((each) => ({ each, distance: relativeDistance(wanted, normalize(each)) }))
    .filter(({ distance }) => distance <= 0.4)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, max)
    .map(({ each }) => each)
}

/** Removes differences of case, Unicode form, curly quotes, whitespace, `_` and `-`. */
function normalize(name: string): string {
  return name
    .slice(0, 255)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\s_-]+/g, '-')
}

/** From 0 (equal) to 1 (nothing in common). */
function relativeDistance(one: string, other: string): number {
  if (one === other) return 0
  const shorter = Math.min(one.length, other.length)
  if (shorter >= 3 && (one.startsWith(other) || other.startsWith(one))) return 0.2
  const longer = Math.max(one.length, other.length)
  if (longer - shorter > longer * 0.4) return 1
  return editDistance(one, other) / longer
}
