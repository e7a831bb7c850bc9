import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let stored: typeof import('./stored.ts')

beforeEach(async () => {
  stored = await import('./stored.ts')
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** A storage with limited room. */
function storage(room = 100): Storage {
  const kept: Record<string, string> = {}
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem(key: string, value: string) {
      if (Object.keys(kept).length >= room) throw new Error('QuotaExceededError')
      kept[key] = value
    },
    removeItem: (key: string) => void delete kept[key],
  }
  // The keys are its own properties, as in a browser.
  return new Proxy(kept, {
    get: (_, name) => methods[name as keyof typeof methods],
  }) as unknown as Storage
}

test('logging out keeps only the theme and the language', () => {
  const { forgetStored, readStored, storedKeys, writeStored } = stored
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  for (const key of ['toolglot-theme', 'toolglot-language', 'other'])
    expect(writeStored(key, 'x')).toBe(true)
  for (const key of ['toolglot-sandbox /tmp/a', 'toolglot-choices', 'toolglot-drawn-protocol'])
    writeStored(key, 'SECRET')
  writeStored('toolglot-draft:a', 'SECRET', 'tab')
  writeStored('router', 'SECRET', 'tab')
  forgetStored()
  expect(storedKeys('')).toEqual(['toolglot-theme', 'toolglot-language', 'other'])
  expect(storedKeys('', 'tab')).toEqual([])
  // Pending writes do not come back after logout.
  expect(writeStored('toolglot-drawn-protocol', 'SECRET')).toBe(false)
  expect(writeStored('toolglot-theme', 'dark')).toBe(true)
  expect(readStored('toolglot-drawn-protocol')).toBeUndefined()
})

test('works in a browser without storage or without room', () => {
  const { forgetStored, readStored, storedKeys, writeStored } = stored
  vi.stubGlobal('localStorage', storage(0))
  expect([writeStored('toolglot-a', 'x'), readStored('toolglot-a')]).toEqual([false, undefined])
  vi.stubGlobal('localStorage', undefined)
  expect([writeStored('toolglot-a', 'x'), readStored('toolglot-a'), storedKeys('')]).toEqual([
    false,
    undefined,
    [],
  ])
  forgetStored()
})
