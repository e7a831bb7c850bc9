import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The packages that the types of an entry import, directly or through other files. */
function packagesIn(entry: URL, seen = new Set<string>()): string[] {
  if (seen.has(entry.href)) return []
  seen.add(entry.href)
  const named = readFileSync(entry, 'utf8').matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)
  return [...named].flatMap(([, name = '']) => {
    if (!name.startsWith('.')) return [name.match(/^(@[^/]+\/[^/]+|node:|[^/]+)/)?.[0] ?? name]
    const file = name.replace(/\.[jt]s$/, '.d.ts')
    return packagesIn(new URL(file, entry), seen)
  })
}

// Checks the built types. Otherwise, users whose compiler checks libraries would have to install
// packages they never use.
test.each(['core', 'permissions', 'agent', 'ai-sdk', 'tools', 'workspace'])(
  'the types of %s import only its dependencies',
  (name) => {
    const folder = new URL(`../packages/${name}/`, import.meta.url)
    const { dependencies = {}, exports } = JSON.parse(
      readFileSync(new URL('package.json', folder), 'utf8'),
    ) as { dependencies?: object; exports: Record<string, string | { types?: string }> }
    const entries = Object.values(exports).flatMap((entry) =>
      typeof entry === 'object' && entry.types && !entry.types.includes('*') ? [entry.types] : [],
    )
    expect(entries.length).toBeGreaterThan(0)
    const named = new Set(entries.flatMap((types) => packagesIn(new URL(types, folder))))
    const foreign = [...named].filter((each) => each !== 'node:' && !(each in dependencies))
    expect(foreign).toEqual([])
  },
)
