import { useApi } from '../app/use-api.ts'

/** A path as a person writes it: `~` for the home folder. */
export function homePath(path: string, home: string | undefined): string {
  if (home === undefined || home === '') return path
  return path === home || isInside(path, home) ? `~${path.slice(home.length)}` : path
}

/** A path from a folder that it is in; any other as it is. */
export function pathIn(folder: string, path: string): string {
  return folder !== '' && isInside(path, folder) ? path.slice(folder.length + 1) : path
}

/** How a path is written where there is little room: `~` for the home folder, and the middle left out if it is long. */
export function shortPath(
  path: string,
  { home, max = 30 }: { readonly home?: string | undefined; readonly max?: number } = {},
): string {
  const text = homePath(path, home)
  if (text.length <= max) return text
  const separator = text.includes('/') ? '/' : '\\'
  const names = text.split(separator)
  const start = names[0] === '' ? `${separator}${names[1] ?? ''}` : names[0]!
  // The last name says the most, then the one before it.
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

/** Whether a text is an absolute path, on whatever system the server runs. */
export function isAbsolutePath(text: string): boolean {
  return /^(?:[/\\]|[a-z]:[/\\])/i.test(text)
}

/** The user's home folder on the server, which people write as `~`. */
export function useHome(): string | undefined {
  return useApi('GET /api/status', undefined, { staleTime: 60_000 }).data?.home
}

/** Writes paths as a person would: from the folder that they are in, or from the home folder. */
export function usePathText(folder = ''): (path: string) => string {
  const home = useHome()
  return (path) => homePath(pathIn(folder, path), home)
}
