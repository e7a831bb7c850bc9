import type { FileSystemView } from '../decide/file-system.ts'

/** Whether a path, which must be absolute, is a link itself. */
export function isLinkItself(path: string, fileSystem: FileSystemView): boolean {
  const full = path.replace(/\/+$/, '')
  const parent = fileSystem.follow(full.slice(0, full.lastIndexOf('/')) || '/')?.at(-1)
  const name = full.slice(full.lastIndexOf('/') + 1)
  if (parent === undefined || name === '.' || name === '..' || name === '') return false
  const entry = `${parent === '/' ? '' : parent}/${name}`
  return fileSystem.follow(entry)?.at(-1) !== entry
}
