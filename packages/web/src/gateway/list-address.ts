import type { PageSearch } from '../app/router.tsx'

/** What the address says when no request is chosen. */
export function listAddress({ folder }: PageSearch): PageSearch {
  return folder === undefined ? {} : { folder }
}
