import { expect, test } from 'vitest'
import { entryPointsOf, reachableModules } from '../test/reachable-modules.ts'

const SQLITE = ['@photostructure/sqlite', 'node:sqlite']
const entryPoints = Object.entries(entryPointsOf('agent'))

test.each(entryPoints.filter(([path]) => path !== './node'))(
  '%s does not load SQLite',
  (_, file) => {
    expect([...reachableModules(file)].filter((name) => SQLITE.includes(name))).toEqual([])
  },
)

/** The only entry point besides `./node` that requires Node. */
const ON_NODE = ['./browser']

test.each(entryPoints.filter(([path]) => !path.startsWith('./node') && !ON_NODE.includes(path)))(
  '%s runs without Node',
  (_, file) => {
    expect([...reachableModules(file)].filter((name) => name.startsWith('node:'))).toEqual([])
  },
)

test('./node loads SQLite, so workers are followed', () => {
  const modules = reachableModules(entryPointsOf('agent')['./node']!)
  expect([...modules]).toEqual(expect.arrayContaining([...SQLITE, 'node:worker_threads']))
})

test('imports are followed across packages', () => {
  const modules = reachableModules(entryPointsOf('agent')['.']!)
  // A dependency of @toolglot/permissions.
  expect([...modules]).toContain('unbash')
})
