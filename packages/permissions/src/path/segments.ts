/** The names a path is made of, from the top of the disk: `/a/./b/../c` is `a`, `c`. */
export function segmentsOf(path: string): string[] {
  const segments: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') segments.pop()
    else if (name !== '' && name !== '.') segments.push(name)
  }
  return segments
}

export function pathOf(segments: readonly string[]): string {
  return `/${segments.join('/')}`
}

/** What of a path lies below a folder; nothing if it is that folder; undefined if it lies elsewhere. */
export function relativeTo(folder: readonly string[], path: readonly string[]): string[] | undefined {
  if (path.length < folder.length) return undefined
  return folder.every((name, at) => name === path[at]) ? path.slice(folder.length) : undefined
}
