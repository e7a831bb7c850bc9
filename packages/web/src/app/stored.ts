/** How the page looks is nobody's secret; everything else goes when a person logs out. */
const STAYS: ReadonlySet<string> = new Set(['toolglot-theme', 'toolglot-language'])
const PREFIX = 'toolglot-'

/** How long something is kept: as long as the browser's data, or until the tab is closed. */
export type KeptFor = 'browser' | 'tab'

/** The person has logged out: what is still about to be written must not come back. */
let isForgotten = false

/** What the browser keeps under a key: nothing, where it is not allowed to keep anything. */
export function readStored(key: string, keptFor: KeptFor = 'browser'): string | undefined {
  try {
    return storageOf(keptFor).getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a text under a key; undefined removes it. Returns whether there was room for it. */
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

/** The keys that begin with a text. */
export function storedKeys(prefix: string, keptFor: KeptFor = 'browser'): readonly string[] {
  try {
    return Object.keys(storageOf(keptFor)).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}

/** Removes everything that the page keeps about what a person did here, and keeps nothing more. */
export function forgetStored(): void {
  isForgotten = true
  for (const key of storedKeys(PREFIX)) if (!STAYS.has(key)) writeStored(key, undefined)
  // The router's notes about a tab are also removed.
  for (const key of storedKeys('', 'tab')) writeStored(key, undefined, 'tab')
}

function storageOf(keptFor: KeptFor): Storage {
  return keptFor === 'tab' ? sessionStorage : localStorage
}
