/** The server's address, the token and the means of sending requests. */
export interface ClientOptions {
  /**
   * The address of the server, such as `http://127.0.0.1:4747`. For the server's own page: its
   * origin.
   */
  readonly url: string
  /** A token printed by `toolglot token`. Without one, a browser sends its login cookie. */
  readonly token?: string | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /**
   * Waits until a stream may connect, before each connection. When the signal of the turn aborts,
   * the stream disconnects and waits for its next turn. For pages: a browser makes at most six
   * connections to a server, shared by all of its tabs.
   */
  readonly turn?: TakeTurn | undefined
}

/** Waits for a turn. Throws the signal's reason if it aborts. */
export type TakeTurn = (signal: AbortSignal | undefined) => Promise<{
  readonly signal: AbortSignal
  /** Called after the connection is closed. */
  readonly end: () => void
}>

/** The input of a request to an endpoint. */
export interface SentRequest {
  readonly parameters?: object | undefined
  readonly query?: object | undefined
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** Sends a request to an endpoint, such as `POST /api/runs/:run/approve`. */
export type Send = (name: string, request: SentRequest) => Promise<Response>

/** Creates the function that sends requests. */
export function createSend({ url, token, fetch: own }: ClientOptions): Send {
  const base = url.replace(/\/+$/, '')
  return async (name, { parameters = {}, query = {}, body, headers = {}, signal }) => {
    const [method = '', path = ''] = name.split(' ')
    const hasBody = method !== 'GET' && method !== 'DELETE'
    // Looked up late, so that a replaced fetch is used, and called without a receiver, which
    // browsers require.
    const send = own ?? fetch
    return await send(`${base}${filled(path, parameters)}${queryText(query)}`, {
      method,
      headers: {
        ...headers,
        // Required for changes that are authorized by a cookie.
        'x-toolglot': '1',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(hasBody && { 'content-type': 'application/json' }),
      },
      body: hasBody ? JSON.stringify(body ?? {}) : undefined,
      // The server never redirects, and the token must not reach any other server.
      redirect: 'manual',
      signal,
    })
  }
}

function filled(path: string, parameters: object): string {
  const values = parameters as Readonly<Record<string, unknown>>
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name]
    // In a URL, dots lead to another path, however they are encoded.
    if (typeof value === 'string' && !['', '.', '..'].includes(value)) {
      return encodeURIComponent(value)
    }
    throw new TypeError(
      `The parameter ${name} of ${path} cannot be ${JSON.stringify(value)}. It must be a name.`,
    )
  })
}

function queryText(query: object): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const text = new URLSearchParams(given).toString()
  return text && `?${text}`
}
