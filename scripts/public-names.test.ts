import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { apiPage, entryPoints, isPublic } from './public-names.mjs'

const packages = [...entryPoints()].map(([name, points]) => ({ name, points }))

test('docs/api.md lists the public names (npm run docs)', () => {
  expect(readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')).toBe(apiPage())
})

test('a sentence is the whole comment, even if it contains the start of one', () => {
  const names = packages.flatMap(({ points }) => points.flatMap((point) => point.names))
  expect(names.find(({ name }) => name === 'Rule')?.sentence).toMatch(
    /^One entry in `allow`.*`Read\(src\/\*\*\)`/,
  )
})

test('code between backticks has no backslash before <', () => {
  const spans = apiPage().match(/`[^`\n]*`/g) ?? []
  expect(spans.filter((span) => span.includes('\\<'))).toEqual([])
})

describe.each(packages)('$name', ({ name, points }) => {
  test('has a sentence for every public name', () => {
    const bare = points
      .filter(isPublic)
      .flatMap((point) => point.names.filter(({ sentence }) => sentence === ''))
    expect(bare.map((each) => each.name)).toEqual([])
  })

  test('stays small', () => {
    const total = points.filter(isPublic).reduce((sum, { names }) => sum + names.length, 0)
    const [root] = points
    expect(root!.names.length).toBeLessThanOrEqual(name === '@toolglot/managers' ? 90 : 60)
    expect(total).toBeLessThanOrEqual(MAX_NAMES[name] ?? 60)
  })

  test('shares little with its siblings', () => {
    for (const point of points.filter((each) => !isPublic(each)))
      expect(point.names.length).toBeLessThanOrEqual(31)
  })
})

/** The maximum number of public names of a package, including its subpaths. Default: 60. */
const MAX_NAMES: Readonly<Record<string, number>> = {
  '@toolglot/agent': 205,
  // Three of them are parseArguments, its options and its result.
  '@toolglot/core': 109,
  // Names that existing programs use, all in one place.
  '@toolglot/managers': 90,
  // Three of them are the types of the API by the names of its endpoints, four are for workers on a shared journal.
  '@toolglot/server': 37,
  // Nineteen of them are the types of the canonical tools.
  '@toolglot/tools': 79,
  // Ten of them are for probing models.
  '@toolglot/workspace': 70,
}
