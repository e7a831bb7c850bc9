import type { World } from '../permission/world.ts'

/** A machine without files: whatever reaches for one lies outside. */
export const noWorld: World = {
  cwd: '/',
  home: '/',
  roots: [],
  platform: 'linux',
  caseSensitive: true,
  follow: () => undefined,
}
