import { z } from 'zod'
import { PROBLEM_TYPE, STATUSES } from '../security/http-error.ts'
import type { Endpoint, EndpointAnswer } from './endpoint.ts'
import { OTHER_ROUTES } from './other-routes.ts'

/** A description of the API for programs, as OpenAPI 3.1. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string }[]
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, OpenApiResponse>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

/** One method of a path in an OpenAPI document. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly OpenApiParameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent }
  /** The responses, by status or `default`. */
  readonly responses: Readonly<Record<string, OpenApiResponse | { readonly $ref: string }>>
  /** Empty if no token is required. */
  readonly security?: readonly []
}

/** A parameter of a path or of a query. */
export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

/** A response: its description and its body. */
export interface OpenApiResponse {
  readonly description: string
  readonly content?: OpenApiContent
}

/** Bodies by content type. */
export type OpenApiContent = Readonly<Record<string, { readonly schema: JsonSchema }>>

/** A JSON Schema, 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The description of an endpoint, or of another route. */
export interface DescribedRoute extends Pick<Endpoint, 'about' | 'details' | 'answers'> {
  readonly name: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The tag, such as `runs`. Default: the first segment after `/api`. */
  readonly subject?: string
  /** True if no token is required. */
  readonly open?: true
  /** The shape of the endpoint's errors, unless they are problem details. */
  readonly errors?: EndpointAnswer
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Describes the endpoints, the login and the gateway. */
export function openApiDocument(
  endpoints: Readonly<Record<string, DescribedRoute>>,
  version: string,
): OpenApiDocument {
  const schemas = createSchemas()
  const routes = Object.entries({ ...endpoints, ...OTHER_ROUTES })
    .map(([operationId, route]) => {
      const [method = '', path = ''] = route.name.split(' ')
      return { operationId, route, method, path: path.replaceAll(/:(\w+)/g, '{$1}') }
    })
    .sort(
      (one, other) =>
        compare(one.path, other.path) ||
        METHODS.indexOf(one.method) - METHODS.indexOf(other.method),
    )
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const { operationId, route, method, path } of routes) {
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: operation(operationId, route, path, schemas),
    }
  }
  const problem = schemas.of(PROBLEM)
  return {
    openapi: '3.1.0',
    info: { title: 'Toolglot', version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { key: [] }, { cookie: [] }],
    tags: [...new Set(routes.map(({ route }) => subjectOf(route)))]
      .sort(compare)
      .map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.all(),
      responses: {
        Problem: {
          description: 'The request was refused or failed.',
          content: { [PROBLEM_TYPE]: { schema: problem } },
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: '`toolglot token` prints it.' },
        key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same token.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'toolglot_4747',
          description: 'The session of a browser. The name ends with the port.',
        },
      },
    },
  }
}

const DESCRIPTION = `Runs, tools and models of a Toolglot server.

Every request needs a token. A request with a cookie that changes something also needs the header \`x-toolglot\`, with any
value. Bodies are JSON in UTF-8 with \`content-type: application/json\`, also those without content. Unknown fields are
refused. Errors are problem details (RFC 9457).`

function subjectOf({ name, subject }: DescribedRoute): string {
  return subject ?? /\/api\/(\w+)/.exec(name)?.[1] ?? ''
}

function operation(
  operationId: string,
  route: DescribedRoute,
  path: string,
  schemas: Schemas,
): OpenApiOperation {
  const { about, details, query, body, answers, open, errors } = route
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): OpenApiParameter => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string', minLength: 1 },
    })),
    ...(query ? queryParameters(schemas.of(query)) : []),
  ]
  return {
    operationId,
    tags: [subjectOf(route)],
    summary: about,
    description: details,
    parameters: parameters.length > 0 ? parameters : undefined,
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { 'application/json': { schema: schemas.of(body) } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, response(answer, schemas)]),
      ),
      default: errors ? response(errors, schemas) : { $ref: '#/components/responses/Problem' },
    },
    security: open ? [] : undefined,
  }
}

function queryParameters(schema: JsonSchema): OpenApiParameter[] {
  const required = (schema['required'] ?? []) as readonly string[]
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: typeof description === 'string' ? description : undefined,
    schema: rest,
  }))
}

function response({ about, schema, type }: EndpointAnswer, schemas: Schemas): OpenApiResponse {
  if (!schema && type === undefined) return { description: about }
  const body = schema && schemas.of(schema)
  if (type === undefined) {
    return { description: about, content: { 'application/json': { schema: body ?? {} } } }
  }
  // A stream is text whose messages contain JSON.
  const each = body && { contentMediaType: 'application/json', contentSchema: body }
  return { description: about, content: { [type]: { schema: { type: 'string', ...each } } } }
}

/** The schemas of a document. A schema with an id is written once. */
interface Schemas {
  of(schema: z.ZodType): JsonSchema
  all(): Readonly<Record<string, JsonSchema>>
}

function createSchemas(): Schemas {
  const named = new Map<string, JsonSchema>()
  return {
    of(schema) {
      const written = z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
        override({ jsonSchema }) {
          // The bounds of safe integers add nothing.
          if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
          if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
          // Additional fields are allowed by default.
          if (JSON.stringify(jsonSchema.additionalProperties) === '{}') {
            delete jsonSchema.additionalProperties
          }
        },
      })
      const { $schema: _, $defs = {}, ...own } = pointed(written) as Record<string, unknown>
      for (const [id, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
        const before = named.get(id)
        if (before && JSON.stringify(before) !== JSON.stringify(definition)) {
          throw new Error(`Two schemas have the id ${id}.`)
        }
        named.set(id, definition)
      }
      return own
    },
    all: () => Object.fromEntries([...named].sort(([one], [other]) => compare(one, other))),
  }
}

/** Rewrites a schema's references to point to the components of the document. */
function pointed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === '$ref' && typeof each === 'string'
        ? each.replace(/^#\/\$defs\//, '#/components/schemas/')
        : pointed(each),
    ]),
  )
}

const PROBLEM = z
  .looseObject({
    type: z.string().describe('`urn:toolglot:problem:` and the code.'),
    title: z.string(),
    status: z.int(),
    code: z
      .string()
      .describe(
        `For programs. The codes: ${Object.entries(STATUSES)
          .sort(([one], [other]) => compare(one, other))
          .map(([code, status]) => `\`${code}\` (${status})`)
          .join(', ')}.`,
      )
      .meta({ enum: Object.keys(STATUSES).sort(compare) }),
    detail: z.string().describe('The problem.'),
    action: z.string().optional().describe('What to do about it.'),
    problems: z
      .array(z.object({ path: z.string(), problem: z.string() }))
      .optional()
      .describe('Problems with the input, and their locations.'),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457).' })

/** Compares by code units, so the order is independent of the locale. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
