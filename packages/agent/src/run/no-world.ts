import type { World } from '@toolglot/permissions'

/** A machine without files: whatever reaches for one lies outside. */
export const noWorld: World = {
  cwd: '/',
  home: '/',
  roots: [],
  platform: 'linux',
  caseSensitive: true,
  follow: () => undefined,
}
