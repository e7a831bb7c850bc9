import { z } from 'zod'
import { parseBody } from '../anywhere/parse-body.ts'
import type { Route, RouteMethod } from '../route.ts'
import { HttpError, type HttpErrorCode } from '../security/http-error.ts'
import type { Endpoint } from './endpoint.ts'
import type { ApiServices } from './services.ts'
import { JournalError, type JournalProblem } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'

const STORAGE = 'Check the disk and the state folder of this machine; toolglot doctor helps.'

const PROBLEMS: Readonly<Record<JournalProblem, readonly [HttpErrorCode, action: string]>> = {
  busy: ['run_busy', 'It is being executed: stop it, or wait until it has ended.'],
  taken: ['run_exists', 'It is here already. To replace it, delete it first.'],
  missing: ['run_not_found', 'GET /api/runs lists the runs.'],
  ended: ['run_ended', 'Continue it with POST /api/runs/:run/resume.'],
  not_pending: ['not_pending', 'The first answer counts. GET /api/approvals lists what waits.'],
  unread: ['run_busy', 'Try again.'],
  full: ['storage_failed', STORAGE],
  read_only: ['storage_failed', STORAGE],
  corrupt: ['storage_failed', STORAGE],
  imported: ['run_imported', 'An imported run can only be read. Start a new one.'],
  changed: ['run_changed', 'To continue it anyway, send acceptChanges: true.'],
  failed: ['storage_failed', STORAGE],
}

/** The endpoints as routes of the server. Each requires a token. */
export function apiRoutes(endpoints: readonly Endpoint[], services: ApiServices): Route[] {
  return endpoints.map((endpoint) => {
    const [method = '', path = ''] = endpoint.name.split(' ')
    const [status = '200'] = Object.keys(endpoint.answers)
    return {
      method: method as RouteMethod,
      path,
      access: 'all',
      maxBody: endpoint.maxBody,
      async handle(request, { principal, parameters, isAllowed }) {
        // Unreachable without a token, because the route has a scope.
        if (!principal) throw new HttpError('unauthorized', 'The request has no token.')
        const query = read(endpoint.query, queryOf(request.url), 'the query')
        const body = hasBody(endpoint) ? read(endpoint.body, await json(request), 'the body') : {}
        const { headers, signal } = request
        try {
          const answer = await endpoint.handle(
            { parameters, query, body },
            { services, principal, headers, signal, isAllowed },
          )
          if (answer instanceof Response) return answer
          if (answer === undefined) return new Response(null, { status: 204 })
          return Response.json(answer, { status: Number(status) })
        } catch (error) {
          throw asHttpError(error)
        }
      },
    }
  })
}

/** True if requests to an endpoint have a body, even an empty one. */
export function hasBody({ name }: Endpoint): boolean {
  return !name.startsWith('GET ') && !name.startsWith('DELETE ')
}

/** The JSON body of a request. An empty body is read as an empty object. */
async function json(request: Request): Promise<unknown> {
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength === 0) return {}
  return parseBody(bytes, (problem) => new HttpError('invalid_json', problem))
}

function queryOf(url: string): object {
  const { searchParams } = new URL(url)
  const repeated = [...searchParams.keys()].find((key) => searchParams.getAll(key).length > 1)
  if (repeated !== undefined) {
    throw invalidRequest([{ path: 'the query', problem: 'a parameter occurs twice' }])
  }
  return Object.fromEntries(searchParams)
}

const NOTHING = z.strictObject({})

/** Checks a value against its schema. Without a schema, the value must be empty. */
function read(
  schema: z.ZodType<object | undefined> = NOTHING,
  value: unknown,
  what: string,
): object {
  const { success, data, error } = schema.safeParse(value, { error: problemOf })
  if (success) return data ?? {}
  throw invalidRequest(
    error.issues.slice(0, MAX_PROBLEMS).map(({ path, message, code }) => ({
      path: path.length === 0 ? what : path.map(String).join('.').slice(0, 200),
      problem: message.slice(0, 500) + (code === 'unrecognized_keys' ? knownIn(schema, path) : ''),
    })),
  )
}

/** The problem in plain English, where the schema has no message of its own. */
function problemOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${KINDS[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.map((each) => JSON.stringify(each)).join(' or ')}`
    case 'too_small':
      return limited(issue.origin, `at least ${issue.minimum}`)
    case 'too_big':
      return limited(issue.origin, `at most ${issue.maximum}`)
    case 'unrecognized_keys':
      return `unknown fields: ${issue.keys.join(', ')}`
    default:
      return undefined
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function limited(origin: string, limit: string): string {
  if (origin === 'string') return `must have ${limit} character(s)`
  return origin === 'array' ? `must have ${limit} item(s)` : `must be ${limit}`
}

/** Lists the known fields, for the error about an unknown one. */
function knownIn(schema: z.ZodType, path: readonly PropertyKey[]): string {
  if (path.length > 0 || !(schema instanceof z.ZodObject)) return ''
  return `. Known fields: ${Object.keys(schema.shape).join(', ') || 'none'}`
}

const MAX_PROBLEMS = 20

function invalidRequest(
  problems: readonly { readonly path: string; readonly problem: string }[],
): HttpError {
  const detail = problems.map(({ path, problem }) => `${path}: ${problem}`).join('; ')
  return new HttpError('invalid_request', detail, {
    action: 'GET /api/openapi.json describes the API.',
    members: { problems },
  })
}

/**
 * Converts an endpoint's error for its client. Errors not meant for clients are returned unchanged.
 */
function asHttpError(error: unknown): unknown {
  if (error instanceof UserError)
    return new HttpError('unprocessable', error.message, {
      action: 'Fix the problem and try again.',
    })
  if (!(error instanceof JournalError)) return error
  const [code, action] = PROBLEMS[error.problem]
  // The journal's message advises opening the run with a program, which an HTTP client can't do.
  const detail = code === 'run_imported' ? 'The run was recorded elsewhere.' : error.message
  return new HttpError(code, detail, { action })
}
