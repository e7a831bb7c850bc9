import { expect, test } from 'vitest'
import { apiClient } from '../../test/api-client.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'

/** A value for every parameter of a path. */
const parameters = new Proxy<Record<string, string>>({}, { get: () => 'x' })

test('every endpoint has a unique name', () => {
  const names = endpoints.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})

const named = (all: readonly Endpoint[]): [string, Endpoint][] =>
  all.map((endpoint) => [endpoint.name, endpoint])

test.each(named(endpoints))('%s requires a token with the scope all', async (_, endpoint) => {
  const { problem } = await apiClient()
  expect(await problem(endpoint, { parameters, token: 'none' })).toMatchObject({
    status: 401,
    code: 'unauthorized',
  })
  expect(await problem(endpoint, { parameters, token: 'gateway' })).toMatchObject({
    status: 403,
    code: 'scope_insufficient',
  })
})

test.each(named(endpoints.filter(({ query }) => query)))(
  '%s: 400 for an unknown parameter',
  async (_, endpoint) => {
    const { problem, errors } = await apiClient()
    for (const query of [{ unknown: 'x' }, { ['__proto__']: 'x' }] as Record<string, string>[])
      expect(await problem(endpoint, { parameters, query })).toMatchObject({
        code: 'invalid_request',
        detail: expect.stringContaining('query') as string,
      })
    expect(errors).toEqual([])
  },
)

test.each(named(endpoints.filter(({ body }) => body)))(
  '%s: 400 for an invalid body',
  async (_, endpoint) => {
    const { problem, errors } = await apiClient()
    const bodies = ['[]', 'null', '5', '{"unknown":1}', '{"__proto__":{"x":1},"unknown":1}']
    for (const body of bodies)
      expect((await problem(endpoint, { parameters, body })).status).toBe(400)
    expect(errors).toEqual([])
  },
)
