import type { FileSystemView } from '../decide/file-system.ts'
import { realPath } from './real-path.ts'

/** Whether a path, which must be absolute, is a link itself. */
export function isLinkItself(path: string, fileSystem: FileSystemView): boolean {
  const full = path.replace(/\/+$/, '')
  const parent = realPath(full.slice(0, full.lastIndexOf('/')) || '/', fileSystem)
  const name = full.slice(full.lastIndexOf('/') + 1)
  if (parent === undefined || name === '.' || name === '..' || name === '') return false
  const entry = `${parent === '/' ? '' : parent}/${name}`
  return realPath(entry, fileSystem) !== entry
}
