import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf } from './check-imports.mjs'
import { isComplete, root } from './ready.mjs'
import { longTest, share } from '../tests/helpers/size.ts'

// `npm start` installs only the packages needed for building and running; `npm test` installs
// everything.

interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const MEGABYTE = 1024 * 1024

const locked: Readonly<Record<string, Locked>> = json('package-lock.json').packages
const light = Object.fromEntries(Object.entries(locked).filter(([, { dev }]) => !dev))
const folders = readdirSync(join(root, 'packages'))

test('installs no package that only tests, checks or measurements need', () => {
  const { devDependencies } = json('package.json')
  const asked = new Set(Object.values(light).flatMap(namesIn))
  const only = Object.keys(devDependencies).filter((name) => !asked.has(name))
  const known = ['ai', 'fast-check', 'knip', 'oxfmt', 'oxlint', 'publint', 'pyright', 'vitest']
  const installed = [...new Set([...only, ...known])].filter(
    (name) => `node_modules/${name}` in light,
  )
  expect(installed).toEqual([])
})

longTest('installs at most 300 MB', () => {
  const sizes = Object.keys(light)
    .filter((path) => path.includes('node_modules/') && !light[path]!.link)
    .map((path) => sizeOf(join(root, path)))
  expect(sizes.length).toBeGreaterThan(100)
  expect(sizes.reduce((sum, size) => sum + size) / MEGABYTE).toBeLessThan(300)
})

test.each(share(folders, 3))('installs enough to build %s', (folder) => {
  const files = readdirSync(join(root, 'packages', folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(src\/|[^/]+$)/.test(path) && /(?<!\.test|\.d)\.tsx?$/.test(path))
    .map((path) => `packages/${folder}/${path}`)
  expect(files.flatMap(missingIn)).toEqual([])
})

test('installs enough for the scripts that build and start', () => {
  const files = ['start', 'ready', 'build', 'bundle-command'].map((name) => `scripts/${name}.mjs`)
  expect(files.flatMap(missingIn)).toEqual([])
})

describe('an existing installation', () => {
  const wanted = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', dev: true },
    'node_modules/other-platform': { version: '1.0.0', optional: true },
  }
  const both = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } }
  const one = { 'node_modules/a': { version: '1.0.0' } }

  test.each([
    ['everything, for a start', both, true, true],
    ['everything, for tests', both, false, true],
    ['what a start needs, for a start', one, true, true],
    ['what a start needs, for tests', one, false, false],
    ['an older version, for a start', { 'node_modules/a': { version: '0.9.0' } }, true, false],
    ['nothing', {}, true, false],
  ])('%s', (_what, present, isLight, enough) => {
    expect(isComplete(wanted, present, isLight)).toBe(enough)
  })
})

/** The names of the packages that a package requires. */
function namesIn({ dependencies = {}, peerDependencies = {} }: Locked): string[] {
  return Object.keys({ ...dependencies, ...peerDependencies })
}

/** The packages that a file imports but a start does not install. */
function missingIn(path: string): string[] {
  return importsOf(path, readFileSync(join(root, path), 'utf8')).flatMap(({ specifier }) => {
    const name = specifier.match(/^(@[^/]+\/)?[^/?]+/)?.[0] ?? ''
    if (/^(node:|virtual:|\.|\(computed\)$)/.test(specifier)) return []
    const [, folder = ''] = path.split('/')
    const places = [`packages/${folder}/node_modules/${name}`, `node_modules/${name}`]
    return places.some((place) => place in light) ? [] : [`${path}: ${specifier}`]
  })
}

/** The disk space of a package, without nested packages. */
function sizeOf(folder: string): number {
  // A package for another platform.
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : sizeOf(path)
      return lstatSync(path).blocks * 512
    })
    .reduce((sum, size) => sum + size, lstatSync(folder).blocks * 512)
}

function json(path: string) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
