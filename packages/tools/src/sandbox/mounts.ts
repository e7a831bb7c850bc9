import { realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isInside } from '../paths/inside.ts'
import { repositoryOf } from './repository.ts'

/** The real paths of the system's temporary folders, which commands see replaced by a private one. */
export function temporaryFolders(): string[] {
  return [...new Set(['/tmp', '/var/tmp'].flatMap(existingRealPath))]
}

function existingRealPath(path: string): string[] {
  try {
    return [realpathSync.native(path)]
  } catch {
    return [] // It does not exist.
  }
}

/** Throws if a writable folder contains a folder that the sandbox replaces. */
export function refuseTooWide(writable: readonly string[]): void {
  for (const root of writable) {
    const covered = [...temporaryFolders(), '/run', '/dev', '/proc'].find((one) =>
      isInside(one, root),
    )
    if (covered === undefined) continue
    const where = covered === root ? root : `${root}, which contains ${covered}`
    throw new Error(
      `the workspace is ${where}, a shared folder that a sandbox replaces. Work in a subfolder`,
    )
  }
}

/**
 * Mounts the writable folders, and a private folder over each temporary folder. For a writable folder inside one, its
 * repository is visible too, but nothing else, because sockets of other programs are there. Its parent folders are empty
 * and read-only.
 */
export function workspaceMounts(writable: readonly string[], temporary: string): string[] {
  const places = temporaryFolders()
  const shown = repositoriesIn(places, writable)
  const real = [...shown, ...writable]
  const found = real.flatMap((path) => places.flatMap((place) => firstFolderTo(path, place)))
  const folders = [...new Set(found)].filter((folder) => !real.includes(folder))
  return [
    ...places.flatMap((place) => ['--bind', temporary, place]),
    ...folders.flatMap((folder) => ['--tmpfs', folder]),
    ...shown.flatMap((path) => ['--ro-bind', path, path]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...folders.flatMap((folder) => ['--remount-ro', folder]),
  ]
}

/** Whether commands see the real contents of a path. */
export function isVisible(path: string, writable: readonly string[]): boolean {
  return (
    !temporaryFolders().some((place) => isInside(path, place)) ||
    shownFolders(writable).some((folder) => isInside(path, folder))
  )
}

/** The folders whose real contents commands see, also in temporary folders. */
export function shownFolders(writable: readonly string[]): string[] {
  return [...repositoriesIn(temporaryFolders(), writable), ...writable]
}

function repositoriesIn(places: readonly string[], writable: readonly string[]): string[] {
  const found = writable
    .filter((root) => places.some((place) => isInside(root, place)))
    .flatMap((root) => {
      const repository = repositoryOf(root)
      return repository ? [repository.top, repository.common] : []
    })
    .filter((path) => places.some((place) => path !== place && isInside(path, place)))
    .filter((path) => !writable.some((root) => isInside(path, root)))
  // Outer folders first, since they would cover the inner ones.
  return [...new Set(found)].sort((one, other) => one.length - other.length)
}

/** The topmost folder between `place` and a path below it, if there is one. */
function firstFolderTo(path: string, place: string): string[] {
  const names = relative(place, path).split(sep)
  return isInside(path, place) && names.length > 1 ? [join(place, names[0]!)] : []
}
