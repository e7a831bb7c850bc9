import type { FileSystemView } from '@toolglot/permissions'

/** A file system without a workspace: every path is outside. */
export const noFileSystem: FileSystemView = {
  cwd: '/',
  home: '/',
  roots: [],
  platform: 'linux',
  caseSensitive: true,
  follow: () => undefined,
}
