import { expect, test } from 'vitest'
import { z } from 'zod'
import { STATUSES } from '../security/http-error.ts'
import type { ApiContext } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { type DescribedRoute, openApiDocument } from './openapi.ts'
import { describeApi } from './describe-api.ts'
import { showOpenApi } from './routes/openapi.ts'

/** The part of OpenAPI 3.1 that this document uses. */
const schema = z.record(z.string(), z.unknown())
const reference = z.strictObject({ $ref: z.string() })
const content = z.record(
  z.string().regex(/^[a-z]+\/[a-z+-]+(; charset=utf-8)?$/),
  z.strictObject({ schema }),
)
const response = z.strictObject({ description: z.string().min(1), content: content.optional() })
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  tags: z.array(z.string().regex(/^[a-z]+$/)).length(1),
  summary: z.string().min(1).max(120),
  description: z.string().min(1).optional(),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.enum(['path', 'query']),
        required: z.boolean(),
        description: z.string().min(1).optional(),
        schema,
      }),
    )
    .optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string().regex(/^([2345]\d\d|default)$/), z.union([response, reference])),
  security: z.tuple([]).optional(),
})
const document = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.strictObject({ url: z.string() })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  tags: z.array(z.strictObject({ name: z.string() })),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation),
  ),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), schema),
    responses: z.record(z.string(), response),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.enum(['http', 'apiKey']) })),
  }),
})

const api = describeApi()
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, each]) => ({ path, method, ...each })),
)

/** Every value under a key, at any depth. */
function valuesOf(key: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    name === key ? [each] : valuesOf(key, each),
  )
}

test('is a valid OpenAPI document', () => {
  expect(document.safeParse(api).error?.issues ?? []).toEqual([])
})

test('is what the server sends', async () => {
  const answer = await showOpenApi.handle({ parameters: {} }, {} as ApiContext)
  expect(await (answer as Response).json()).toEqual(api)
})

test('contains every endpoint', () => {
  const described = operations.map(
    ({ path, method }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  )
  expect(described).toEqual(expect.arrayContaining(endpoints.map(({ name }) => name)))
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('resolves every reference, and uses every schema', () => {
  const names = (valuesOf('$ref', api) as string[]).map((each) => {
    const [, kind = '', name = ''] = /^#\/components\/(schemas|responses)\/(.+)$/.exec(each) ?? []
    expect([each, Object.keys(Object(Object(api.components)[kind]))]).toEqual([
      each,
      expect.arrayContaining([name]),
    ])
    return name
  })
  expect([...new Set(names)].sort()).toEqual(
    expect.arrayContaining(Object.keys(api.components.schemas)),
  )
  expect(JSON.stringify(api)).not.toContain('$defs')
})

test('describes the segments of a path as parameters', () => {
  for (const { path, parameters = [] } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(named)
  }
})

test('describes every field of an input', () => {
  const bare = operations.flatMap(({ operationId, parameters = [], requestBody, tags }) => {
    if (tags.includes('gateway')) return []
    const body = Object(requestBody?.content['application/json']?.schema['properties']) as object
    return [
      ...parameters.filter((each) => each.in === 'query' && !each.description),
      ...Object.entries(body)
        .filter(([, field]) => !('$ref' in Object(field)) && !Object(field).description)
        .map(([name]) => ({ name })),
    ].map(({ name }) => `${operationId} ${name}`)
  })
  expect(bare).toEqual([])
})

test('describes errors as problems with one of the codes', () => {
  const { code } = Object(api.components.schemas['Problem']!['properties']) as {
    code: { enum: string[] }
  }
  expect(code.enum).toEqual(Object.keys(STATUSES).sort())
  for (const { path, responses } of operations) {
    if (path.startsWith('/api/')) {
      expect(responses['default']).toEqual({ $ref: '#/components/responses/Problem' })
    }
  }
})

const fakeRoute: DescribedRoute = { name: 'GET /api/things', about: 'x', answers: {} }

test('describes streams, optional bodies and empty answers', () => {
  const thing = z.object({ a: z.int() }).meta({ id: 'Thing' })
  const { paths, components } = openApiDocument(
    {
      watch: {
        ...fakeRoute,
        name: 'GET /api/things/:thing/events',
        query: z.strictObject({ after: z.string().describe('Where to go on.').optional() }),
        answers: {
          200: { about: 'Events.', type: 'text/event-stream', schema: thing },
          204: { about: 'Nothing more.' },
        },
      },
      change: {
        ...fakeRoute,
        name: 'PATCH /api/things/:thing',
        body: z.strictObject({ a: z.int().optional() }),
        answers: { 200: { about: 'Changed.', schema: z.array(thing) } },
      },
    },
    '1.0.0',
  )
  expect(paths['/api/things/{thing}/events']!['get']).toMatchObject({
    tags: ['things'],
    parameters: [
      { name: 'thing', in: 'path', required: true },
      { name: 'after', in: 'query', required: false, description: 'Where to go on.' },
    ],
    responses: {
      200: {
        content: {
          'text/event-stream': {
            schema: { type: 'string', contentSchema: { $ref: '#/components/schemas/Thing' } },
          },
        },
      },
      204: { description: 'Nothing more.' },
    },
  })
  expect(paths['/api/things/{thing}']!['patch']).toMatchObject({
    requestBody: {
      required: false,
      content: { 'application/json': { schema: { additionalProperties: false } } },
    },
    responses: { 200: { content: { 'application/json': { schema: { type: 'array' } } } } },
  })
  expect(components.schemas['Thing']).toEqual({
    type: 'object',
    properties: { a: { type: 'integer' } },
    required: ['a'],
  })
})

test('throws if two schemas have the same id', () => {
  const answer = (value: z.ZodType): DescribedRoute => ({
    ...fakeRoute,
    answers: { 200: { about: 'x', schema: value } },
  })
  expect(() =>
    openApiDocument(
      {
        one: answer(z.array(z.object({ a: z.string() }).meta({ id: 'Same' }))),
        other: {
          ...answer(z.array(z.object({ b: z.string() }).meta({ id: 'Same' }))),
          name: 'GET /api/others',
        },
      },
      '1.0.0',
    ),
  ).toThrow('Same')
})
