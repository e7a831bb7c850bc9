import type { FileSystemView } from '@toolglot/permissions'

/** A machine without files: whatever reaches for one lies outside. */
export const noFileSystem: FileSystemView = {
  cwd: '/',
  home: '/',
  roots: [],
  platform: 'linux',
  caseSensitive: true,
  follow: () => undefined,
}
