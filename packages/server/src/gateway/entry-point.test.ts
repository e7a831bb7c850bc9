import { expect, test } from 'vitest'
import { entryPointsOf, reachableModules } from '../../../agent/test/reachable-modules.ts'

test('the gateway runs without Node and without a framework', () => {
  const modules = [...reachableModules(entryPointsOf('server')['./gateway']!)]
  expect(modules.filter((name) => /^node:|hono|pino|prom-client/.test(name))).toEqual([])
  expect(modules).toContain('unbash')
})
