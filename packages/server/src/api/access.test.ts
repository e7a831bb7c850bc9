import { openWorkspace } from '@toolglot/workspace'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { createApp } from '../app.ts'
import type { Route, Scope } from '../route.ts'
import type { Problem } from '../security/http-error.ts'
import { limitsFor } from '../security/limits.ts'
import { cookieName } from '../security/login.ts'
import { hostsOf } from '../security/perimeter.ts'
import { createApi } from './api.ts'
import { apiRoutes } from './api-routes.ts'
import { endpoints } from './endpoints.ts'
import type { ApiServices } from './services.ts'

const HOST = '127.0.0.1:4747'

/** An app with tokens named after their scopes, and a session for any request with a cookie. */
function appWith(
  routes: readonly Route[],
  errors: unknown[] = [],
): (name: string, headers: Record<string, string>, body?: string) => Promise<Response> {
  const app = createApp({
    routes,
    tokens: { find: (token) => ({ name: token, scopes: [token as Scope] }) },
    login: { isValid: () => true },
    hosts: hostsOf('127.0.0.1', 4747, []),
    origins: [],
    limits: limitsFor(true),
    onError: (error) => errors.push(error),
  })
  return (name, headers, body = '{}') => {
    const [method = '', path = ''] = name.split(' ')
    const hasBody = method !== 'GET' && method !== 'DELETE'
    return app.fetch(
      new Request(`http://${HOST}${path.replaceAll(/:\w+/g, 'x')}`, {
        method,
        headers: { host: HOST, 'content-type': 'application/json', ...headers },
        ...(hasBody && { body }),
      }),
    )
  }
}

async function problemOf(response: Response): Promise<[number, string]> {
  const { code } = (await response.json()) as Problem
  return [response.status, code]
}

const names = endpoints.map(({ name }) => name)
const cookie = `${cookieName(HOST, false)}=session`

test('no endpoint works without a token with full access', async () => {
  const workspace = await openWorkspace(folderOf(), { env: { HOME: folderOf() } })
  const errors: unknown[] = []
  const api = createApi({ workspace, onError: (error) => errors.push(error) })
  onTestFinished(() => api.close())
  // No request may reach these routes.
  const unreachable = api.routes.map((route) => ({
    ...route,
    handle: () => Response.json({ reached: true }),
  }))
  const send = appWith(unreachable, errors)
  expect(names.length).toBeGreaterThan(25)
  expect(api.routes.map(({ access }) => access)).toEqual(api.routes.map(() => 'all'))
  for (const name of names) {
    expect([name, ...(await problemOf(await send(name, {})))]).toEqual([name, 401, 'unauthorized'])
    for (const scope of ['gateway', 'metrics']) {
      const response = await send(name, { authorization: `Bearer ${scope}` })
      expect([name, ...(await problemOf(response))]).toEqual([name, 403, 'scope_insufficient'])
    }
    const reached = await send(name, { authorization: 'Bearer all' })
    expect([name, reached.status]).toEqual([name, 200])
  }
  expect(errors).toEqual([])
})

test("pages of other origins cannot use a browser's cookie for changes", async () => {
  const send = appWith(
    endpoints.map(({ name }) => ({
      method: name.split(' ')[0] as Route['method'],
      path: name.split(' ')[1]!,
      access: 'all' as const,
      handle: () => new Response('reached'),
    })),
  )
  for (const name of names) {
    const bare = await send(name, { cookie })
    if (name.startsWith('GET ')) expect([name, bare.status]).toEqual([name, 200])
    else expect([name, ...(await problemOf(bare))]).toEqual([name, 403, 'csrf'])
    expect((await send(name, { cookie, 'x-toolglot': '1' })).status).toBe(200)
    const foreign = { cookie, origin: 'https://evil.example', 'x-toolglot': '1' }
    expect([name, (await send(name, foreign)).status]).toEqual([name, 403])
  }
})

test('a body that is too large, not JSON or too deep never reaches an endpoint', async () => {
  let reached = 0
  const send = appWith(
    apiRoutes(
      endpoints.map((endpoint) => ({ ...endpoint, handle: () => void reached++ })),
      {} as ApiServices,
    ),
  )
  const headers = { authorization: 'Bearer all' }
  const small = limitsFor(true).bodySize
  for (const { name, maxBody = small } of endpoints) {
    if (/^(GET|DELETE) /.test(name)) continue
    const declared = { ...headers, 'content-length': String(maxBody + 1) }
    const large = maxBody > 8 << 20 ? '{}' : ' '.repeat(maxBody + 1)
    expect([name, (await send(name, declared, large)).status]).toEqual([name, 413])
    const plain = await send(name, { ...headers, 'content-type': 'text/plain' })
    expect([name, plain.status]).toEqual([name, 415])
    expect([name, (await send(name, headers, '{"a":')).status]).toEqual([name, 400])
    const deep = await send(name, headers, '['.repeat(1000) + ']'.repeat(1000))
    expect([name, deep.status]).toEqual([name, 400])
    const polluted = await send(name, headers, '{"__proto__":{"polluted":true}}')
    expect([name, polluted.status]).toEqual([name, 400])
  }
  expect(reached).toBe(0)
})

test('reveals an unexpected error only in the log, not to the client', async () => {
  const errors: unknown[] = []
  const failure = new Error('The password is hunter2.')
  const failing = endpoints.map((endpoint) => ({
    ...endpoint,
    handle: () => Promise.reject(failure),
  }))
  const send = appWith(apiRoutes(failing, {} as ApiServices), errors)
  const response = await send('GET /api/approvals', { authorization: 'Bearer all' })
  expect(response.status).toBe(500)
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ code: 'internal_error' })
  expect(text).not.toContain('hunter2')
  expect(errors).toEqual([failure])
})
