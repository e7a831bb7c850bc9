import { useApi } from '../app/use-api.ts'

/** A path with `~` for the home folder. */
export function homePath(path: string, home: string | undefined): string {
  if (home === undefined || home === '') return path
  return path === home || isInside(path, home) ? `~${path.slice(home.length)}` : path
}

/** A path relative to the folder that contains it; other paths unchanged. */
export function pathIn(folder: string, path: string): string {
  return folder !== '' && isInside(path, folder) ? path.slice(folder.length + 1) : path
}

/** A path for narrow places: `~` for the home folder, and the middle omitted if it is long. */
export function shortPath(
  path: string,
  { home, max = 30 }: { readonly home?: string | undefined; readonly max?: number } = {},
): string {
  const text = homePath(path, home)
  if (text.length <= max) return text
  const separator = text.includes('/') ? '/' : '\\'
  const names = text.split(separator)
  const start = names[0] === '' ? `${separator}${names[1] ?? ''}` : names[0]!
  // The last name is the most informative, then the one before it.
  for (let from = names[0] === '' ? 2 : 1; from < names.length; from++) {
    const cut = [start, '…', ...names.slice(from)].join(separator)
    if (cut.length <= max) return cut
  }
  const last = names.at(-1)!
  if (last.length + 2 <= max) return `…${separator}${last}`
  const half = Math.floor((max - 1) / 2)
  return `${last.slice(0, half)}…${last.slice(-half)}`
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder) && /^[/\\]/.test(path.slice(folder.length))
}

/** True if a text is an absolute path, whatever the server's operating system. */
export function isAbsolutePath(text: string): boolean {
  return /^(?:[/\\]|[a-z]:[/\\])/i.test(text)
}

/** The user's home folder on the server, written as `~`. */
export function useHome(): string | undefined {
  return useApi('GET /api/status', undefined, { staleTime: 60_000 }).data?.home
}

/** Returns a function that shortens paths: relative to the folder, or to the home folder. */
export function usePathText(folder = ''): (path: string) => string {
  const home = useHome()
  return (path) => homePath(pathIn(folder, path), home)
}
