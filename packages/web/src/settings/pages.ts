import type { IconName } from '../ui/icon.tsx'
import type { Key } from '../words/words.ts'

/** The pages of the settings, in their order. */
export const PAGES = [
  { id: 'models', icon: 'cube', label: 'settings.page.models' },
  { id: 'permissions', icon: 'shield', label: 'settings.page.permissions' },
  { id: 'folders', icon: 'folder', label: 'settings.page.folders' },
  { id: 'mcp', icon: 'plug', label: 'settings.page.mcp' },
  { id: 'sandbox', icon: 'sandbox', label: 'settings.page.sandbox' },
  { id: 'limits', icon: 'clock', label: 'settings.page.limits' },
  { id: 'look', icon: 'globe', label: 'settings.page.look' },
  { id: 'all', icon: 'menu', label: 'settings.page.all' },
] as const satisfies readonly {
  readonly id: string
  readonly icon: IconName
  readonly label: Key
}[]

/** The name of a page in the address. */
export type PageId = (typeof PAGES)[number]['id']

/** The page that an address names. */
export function pageOf(name: string | undefined): PageId {
  return PAGES.find(({ id }) => id === name)?.id ?? 'models'
}
