import { realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isInside } from '../paths/inside.ts'
import { repositoryOf } from './repository.ts'

/** Folders for files that do not last, where they are: commands have one of their own in their place. */
export function temporaryFolders(): string[] {
  return [...new Set(['/tmp', '/var/tmp'].flatMap(existingRealPath))]
}

function existingRealPath(path: string): string[] {
  try {
    return [realpathSync.native(path)]
  } catch {
    return [] // There is none here.
  }
}

/** Throws where a folder that commands may write in would bring back what a sandbox takes out of their view. */
export function refuseTooWide(writable: readonly string[]): void {
  for (const root of writable) {
    const covered = [...temporaryFolders(), '/run', '/dev', '/proc'].find((one) =>
      isInside(one, root),
    )
    if (covered === undefined) continue
    const where = covered === root ? root : `${root}, which contains ${covered}`
    throw new Error(
      `the workspace is ${where}: a sandbox replaces that folder, which all programs share. Work in a folder below it`,
    )
  }
}

/**
 * The writable folders, and in place of each folder for files that do not last one that only our commands see. Of a
 * writable folder in there, the repository around it is seen, too; nothing else, since sockets of other programs stand
 * there. Folders on the way to it are not real, and cannot be written in.
 */
export function workspaceMounts(writable: readonly string[], temporary: string): string[] {
  const places = temporaryFolders()
  const shown = repositoriesIn(places, writable)
  const real = [...shown, ...writable]
  const found = real.flatMap((path) => places.flatMap((place) => firstFolderTo(path, place)))
  const ways = [...new Set(found)].filter((way) => !real.includes(way))
  return [
    ...places.flatMap((place) => ['--bind', temporary, place]),
    ...ways.flatMap((way) => ['--tmpfs', way]),
    ...shown.flatMap((path) => ['--ro-bind', path, path]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...ways.flatMap((way) => ['--remount-ro', way]),
  ]
}

/** Whether commands see what is really at a path. */
export function isVisible(path: string, writable: readonly string[]): boolean {
  const places = temporaryFolders()
  return (
    !places.some((place) => isInside(path, place)) ||
    [...repositoriesIn(places, writable), ...writable].some((folder) => isInside(path, folder))
  )
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
  // The outer ones first: they would cover the inner ones.
  return [...new Set(found)].sort((one, other) => one.length - other.length)
}

/** The first folder on the way from a place to a path in it, if that is not the path itself. */
function firstFolderTo(path: string, place: string): string[] {
  const names = relative(place, path).split(sep)
  return isInside(path, place) && names.length > 1 ? [join(place, names[0]!)] : []
}
