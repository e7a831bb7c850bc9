import { openWorkspace, trustFolder } from '@toolglot/workspace'
import { expect, onTestFinished } from 'vitest'
import { type Files, folderOf } from '../../../tests/helpers/folder.ts'
import { createApi } from '../src/api/api.ts'
import type { Endpoint, EndpointInput, EndpointName } from '../src/api/endpoint.ts'
import { createApp } from '../src/app.ts'
import {
  type HttpErrorCode,
  type Problem,
  PROBLEM_TYPE,
  STATUSES,
} from '../src/security/http-error.ts'
import { limitsFor } from '../src/security/limits.ts'
import { hostsOf } from '../src/security/perimeter.ts'

/** Options for an API client. */
export interface ApiClientOptions {
  /** The files of the server's folder. */
  readonly files?: Files
  /** The settings of that folder, in a repository. The folder is not trusted. */
  readonly project?: object
  /** The files of the home folder. */
  readonly home?: Files
  /** The user's own settings. */
  readonly settings?: object
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>
  /** Uses the folders of an earlier client, like a server that restarts. */
  readonly again?: Pick<ApiClient, 'folder' | 'home'>
}

/** Unchecked input for an endpoint, so that tests can send invalid input. */
export interface ApiInput {
  readonly parameters?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** A string is sent unchanged; any other value is sent as JSON. */
  readonly body?: unknown
  /** Default: a token with the scope `all`. */
  readonly token?: 'all' | 'gateway' | 'none'
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/**
 * A client of a real API in real folders. It checks every response against the schema of its
 * endpoint.
 */
export interface ApiClient {
  /** The server's folder. */
  readonly folder: string
  readonly home: string
  /** Internal errors, which `internal_error` hides from clients. */
  readonly errors: readonly unknown[]
  /** The body of a successful response. */
  readonly call: <Name extends EndpointName, Input extends EndpointInput, Answer>(
    endpoint: Endpoint<Name, Input, Answer>,
    input?: ApiInput,
  ) => Promise<Answer>
  /** The problem details of an error response. */
  readonly problem: (endpoint: CheckedEndpoint, input?: ApiInput) => Promise<Problem>
  /** Sends a request. Checks the status and headers of the response, and its body if it is JSON. */
  readonly send: (endpoint: CheckedEndpoint, input?: ApiInput) => Promise<Response>
  /** Trusts a folder with its current settings. Default: the server's folder. */
  readonly trust: (folder?: string) => Promise<void>
  /** Continues the runs that a server was executing when it stopped. */
  readonly resumeRuns: () => Promise<void>
  /** Stops the server, as at the end of the test. */
  readonly close: () => Promise<void>
}

type CheckedEndpoint = Pick<Endpoint, 'name' | 'answers'>

const HOST = '127.0.0.1:4747'

/** Starts an API until the test ends. */
export async function apiClient(options: ApiClientOptions = {}): Promise<ApiClient> {
  const { files, project, home, settings, again } = options
  const HOME =
    again?.home ??
    folderOf({ ...home, ...(settings && { '.config/toolglot/settings.json': settings }) })
  const env = { HOME, PATH: process.env['PATH'] ?? '', ...options.env }
  const folder =
    again?.folder ??
    folderOf({
      ...files,
      ...(project && { '.git/HEAD': '', '.toolglot/settings.json': project }),
    })
  const workspace = await openWorkspace(folder, { env })
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const api = createApi({ workspace, onError })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= api.close())
  onTestFinished(close)
  const app = createApp({
    routes: api.routes,
    tokens: {
      find: (token) =>
        token === 'all' || token === 'gateway' ? { name: token, scopes: [token] } : undefined,
    },
    login: { isValid: () => false },
    hosts: hostsOf('127.0.0.1', 4747, []),
    origins: [],
    limits: limitsFor(true),
    onError,
  })

  const send: ApiClient['send'] = async (endpoint, input = {}) => {
    const response = await app.fetch(requestOf(endpoint.name, input))
    await checkResponse(endpoint, response.clone())
    return response
  }
  return {
    folder,
    home: HOME,
    errors,
    resumeRuns: () => api.resumeRuns(),
    close,
    send,
    async trust(path = folder) {
      const loaded = await openWorkspace(path, { env })
      trustFolder(loaded, loaded)
    },
    async call<Answer>(endpoint: CheckedEndpoint, input?: ApiInput) {
      const response = await send(endpoint, input)
      const body: unknown = response.status === 204 ? undefined : await response.json()
      expect({ status: response.status, body, errors }).toMatchObject({ errors: [] })
      expect(response.ok, JSON.stringify(body)).toBe(true)
      return body as Answer
    },
    async problem(endpoint, input) {
      const response = await send(endpoint, input)
      const body: unknown = await response.json()
      expect(response.ok, JSON.stringify(body)).toBe(false)
      return body as Problem
    },
  }
}

function requestOf(name: string, input: ApiInput): Request {
  const { parameters = {}, query = {}, body, token = 'all', headers, signal } = input
  const [method = '', path = ''] = name.split(' ')
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(parameters[key]!))
  const search = new URLSearchParams(query).toString()
  const hasBody = method !== 'GET' && method !== 'DELETE'
  return new Request(`http://${HOST}${filled}${search && `?${search}`}`, {
    method,
    headers: {
      host: HOST,
      ...(token !== 'none' && { authorization: `Bearer ${token}` }),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) }),
    ...(signal && { signal }),
  })
}

/** Fails unless a response is declared by the endpoint, or is a problem with a known code. */
async function checkResponse(
  { name, answers }: CheckedEndpoint,
  response: Response,
): Promise<void> {
  const { status } = response
  const type = response.headers.get('content-type')
  const declared = answers[status]
  if (!declared) {
    const body = (await response.json()) as Problem
    const said = `${name} answered ${status}: ${JSON.stringify(body)}`
    expect(status, said).toBeGreaterThanOrEqual(400)
    expect(type, said).toBe(PROBLEM_TYPE)
    const expected: Partial<Record<keyof Problem, unknown>> = {
      type: `urn:toolglot:problem:${body.code}`,
      title: expect.any(String),
      status,
      code: expect.any(String),
      detail: expect.stringMatching(/\S/),
      ...('action' in body && { action: expect.stringMatching(/\S/) }),
    }
    expect(body, said).toMatchObject(expected)
    expect(STATUSES[body.code as HttpErrorCode], said).toBe(status)
    return
  }
  if (declared.type) {
    expect(type).toContain(declared.type)
    // Resolves only after the response itself has ended.
    void response.body?.cancel()
  } else if (declared.schema) {
    expect(type).toContain('application/json')
    const body: unknown = await response.json()
    const checked = declared.schema.safeParse(body)
    expect(checked.error?.issues ?? [], `the answer of ${name}`).toEqual([])
    // The schema drops undeclared fields.
    expect(body, `the answer of ${name}`).toEqual(checked.data)
  } else {
    expect(await response.text()).toBe('')
  }
}
