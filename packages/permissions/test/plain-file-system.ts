import { posix } from 'node:path'
import type { FileSystemView } from '../src/decide/file-system.ts'

/** A workspace without links, in which every path is its real path. */
export const plainFileSystem: FileSystemView = {
  cwd: '/workspace',
  home: '/home/me',
  roots: ['/workspace'],
  platform: 'linux',
  caseSensitive: true,
  follow: (path) => [posix.normalize(path)],
}
