import { JournalError } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Principal, Route } from '../route.ts'
import { HttpError } from '../security/http-error.ts'
import { apiRoutes } from './api-routes.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import type { ApiServices } from './services.ts'

/** Fake endpoint that returns its input. */
const fakeEndpoint: Endpoint = {
  name: 'PUT /api/things/:thing',
  about: 'Answer with the input.',
  query: z.strictObject({ folder: z.string().max(10).optional() }) as z.ZodType<object>,
  body: z.strictObject({ size: z.number().int(), name: z.string().max(3).optional() }),
  answers: { 200: { about: 'The input.' } },
  handle: (input) => input,
}

const context = {
  principal: { name: 'main', scopes: ['all'], by: 'bearer' } as Principal,
  parameters: {},
  host: '',
  secure: false,
  report: () => {},
  isAllowed: () => true,
}

async function ask(
  endpoint: Partial<Endpoint>,
  body: string | undefined,
  query = '',
): Promise<Response> {
  const [route] = apiRoutes([{ ...fakeEndpoint, ...endpoint }], {} as ApiServices) as [Route]
  const init = body === undefined ? {} : { method: 'PUT', body }
  return await route.handle(new Request(`http://localhost/api/things/a${query}`, init), {
    ...context,
    parameters: { thing: 'a' },
    host: 'localhost',
  })
}

async function failureOf(answer: Promise<unknown>): Promise<HttpError> {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(HttpError)
  return error as HttpError
}

test('passes the checked input to an endpoint', async () => {
  const response = await ask({}, '{"size":1}', '?folder=x')
  expect([response.status, await response.json()]).toEqual([
    200,
    { parameters: { thing: 'a' }, query: { folder: 'x' }, body: { size: 1 } },
  ])
})

test('answers with the first status, or with 204 if there is no result', async () => {
  const created = await ask({ answers: { 201: { about: '' }, 202: { about: '' } } }, '{"size":1}')
  expect(created.status).toBe(201)
  const nothing = await ask({ handle: () => undefined }, '{"size":1}')
  expect([nothing.status, await nothing.text()]).toEqual([204, ''])
  const own = new Response('as it is', { status: 418 })
  expect(await ask({ handle: () => own }, '{"size":1}')).toBe(own)
})

test.each([
  ['{', 'invalid_json'],
  ['\ufeff{"size":1', 'invalid_json'],
  ['{"size":"1"}', 'invalid_request'],
  ['{"size":1,"other":2}', 'invalid_request'],
  ['{"size":1,"__proto__":{}}', 'invalid_request'],
  ['{"size":1,"name":"long"}', 'invalid_request'],
  ['[]', 'invalid_request'],
  ['null', 'invalid_request'],
  ['', 'invalid_request'],
])('refuses the body %j: %s', async (body, code) => {
  const error = await failureOf(ask({}, body))
  expect([error.status, error.code]).toEqual([400, code])
})

test('refuses a body that is not UTF-8', async () => {
  const [route] = apiRoutes([fakeEndpoint], {} as ApiServices) as [Route]
  const body = new Uint8Array([...new TextEncoder().encode('{"size":1,"name":"'), 0xff, 0x22, 0x7d])
  const request = new Request('http://localhost/', { method: 'PUT', body })
  expect(await failureOf(Promise.resolve(route.handle(request, context)))).toMatchObject({
    code: 'invalid_json',
  })
})

test.each(['?other=1', '?folder=a&folder=b', '?__proto__=1', `?folder=${'x'.repeat(11)}`])(
  'refuses the query %s',
  async (query) => {
    const error = await failureOf(ask({}, '{"size":1}', query))
    expect([error.status, error.code]).toEqual([400, 'invalid_request'])
  },
)

test('locates each problem, and limits their number and length', async () => {
  const { members, message, action } = await failureOf(ask({}, '{"size":"1","name":"long"}'))
  expect(members).toEqual({
    problems: [
      { path: 'size', problem: expect.stringContaining('must be a number') as string },
      { path: 'name', problem: expect.stringContaining('at most 3') as string },
    ],
  })
  expect(message).toContain('size: ')
  expect(action).toContain('/api/openapi.json')
  const many = z.array(z.string()) as unknown as z.ZodType<object>
  const cut = await failureOf(ask({ body: many }, JSON.stringify(Array(1000).fill(1))))
  expect(cut.members['problems']).toHaveLength(20)
})

test('accepts only an empty input if there is no schema', async () => {
  const { query: _, body: __, ...nothing } = fakeEndpoint
  const [route] = apiRoutes([nothing], {} as ApiServices) as [Route]
  const send = async (body: string, query = ''): Promise<Response> =>
    await route.handle(new Request(`http://localhost/${query}`, { method: 'PUT', body }), context)
  for (const body of ['', '{}', ' { } ']) expect((await send(body)).status).toBe(200)
  expect(await failureOf(send('{"size":1}'))).toMatchObject({ code: 'invalid_request' })
  expect(await failureOf(send('', '?folder=x'))).toMatchObject({ code: 'invalid_request' })
})

test.each([
  [new HttpError('run_busy', 'It is.'), 409, 'run_busy'],
  [new JournalError('missing', 'No run.'), 404, 'run_not_found'],
  [new UserError('data', 'a'), 422, 'unprocessable'],
])('converts %s to a %d', async (thrown, status, code) => {
  const handle = (): never => {
    throw thrown
  }
  const error = await failureOf(ask({ handle }, '{"size":1}'))
  expect([error.status, error.code]).toEqual([status, code])
})

test('does not convert other errors, which the app hides', async () => {
  const thrown = new Error('secret')
  await expect(ask({ handle: () => Promise.reject(thrown) }, '{"size":1}')).rejects.toBe(thrown)
})

test('a GET or DELETE endpoint has no body, and no name occurs twice', () => {
  const names = endpoints.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, body } of endpoints) {
    if (/^(GET|DELETE) /.test(name)) expect([name, body]).toEqual([name, undefined])
  }
})
