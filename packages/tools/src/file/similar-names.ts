import { editDistance } from '@toolglot/permissions/internal'

/** Names that were likely meant by one that is not there, the likeliest first. */
export function similarNames(name: string, names: readonly string[], most = 3): string[] {
  const wanted = plain(name)
  return names
    .map((each) => ({ each, distance: distanceOf(wanted, plain(each)) }))
    .filter(({ distance }) => distance <= 0.4)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ each }) => each)
}

/** As a person says it: without case, accents' spelling, curly quotes and odd blanks. */
function plain(name: string): string {
  return name
    .slice(0, 255)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\s_-]+/g, '-')
}

/** From 0 for the same to 1 for nothing in common. */
function distanceOf(one: string, other: string): number {
  if (one === other) return 0
  const shorter = Math.min(one.length, other.length)
  if (shorter >= 3 && (one.startsWith(other) || other.startsWith(one))) return 0.2
  const longer = Math.max(one.length, other.length)
  if (longer - shorter > longer * 0.4) return 1
  return editDistance(one, other) / longer
}
