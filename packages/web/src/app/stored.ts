/**
 * The keys of settings that survive logout because they are not private. All others are removed.
 */
const STAYS: ReadonlySet<string> = new Set(['toolglot-theme', 'toolglot-language'])
const PREFIX = 'toolglot-'

/** The lifetime of stored data: that of the browser's data, or until the tab is closed. */
export type KeptFor = 'browser' | 'tab'

/** True after logout: pending writes must not bring data back. */
let isForgotten = false

/** The stored text of a key. Undefined if the browser does not allow storage. */
export function readStored(key: string, keptFor: KeptFor = 'browser'): string | undefined {
  try {
    return storageOf(keptFor).getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores text under a key; undefined removes it. Returns true if there was room. */
export function writeStored(
  key: string,
  value: string | undefined,
  keptFor: KeptFor = 'browser',
): boolean {
  if (isForgotten && value !== undefined && !STAYS.has(key)) return false
  try {
    if (value === undefined) storageOf(keptFor).removeItem(key)
    else storageOf(keptFor).setItem(key, value)
    return true
  } catch {
    return false
  }
}

/** The stored keys with this prefix. */
export function storedKeys(prefix: string, keptFor: KeptFor = 'browser'): readonly string[] {
  try {
    return Object.keys(storageOf(keptFor)).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}

/** Removes all stored user data, and ignores later writes. */
export function forgetStored(): void {
  isForgotten = true
  for (const key of storedKeys(PREFIX)) if (!STAYS.has(key)) writeStored(key, undefined)
  // The router also stores notes about the tab.
  for (const key of storedKeys('', 'tab')) writeStored(key, undefined, 'tab')
}

function storageOf(keptFor: KeptFor): Storage {
  return keptFor === 'tab' ? sessionStorage : localStorage
}
