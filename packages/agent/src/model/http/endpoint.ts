/** The address of an OpenAI-compatible server. */
export interface Endpoint {
  /** The URL to show to people, without the query, which may contain a key. */
  readonly display: string
  /** The URL of an API path, such as `chat/completions`. */
  urlOf(path: string): string
  readonly isLoopback: boolean
}

/** Parses a base URL with or without `/v1`, a trailing slash or `/chat/completions`. */
export function parseEndpoint(url: string): Endpoint {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (!base || !/^https?:$/.test(base.protocol)) {
    throw new TypeError('url must be the URL of a server, such as http://127.0.0.1:11434/v1')
  }
  if (base.username || base.password) {
    throw new TypeError('url must not contain a username or password: pass the key as `key`')
  }
  const path = base.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  const root = path === '' ? '/v1' : path
  return {
    display: `${base.origin}${root}`,
    urlOf: (name) => `${base.origin}${root}/${name}${base.search}`,
    isLoopback: isLoopback(base.hostname),
  }
}

/** True if a host name refers to this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** The address of a server without the `/v1` of its chat API. */
export function rootEndpoint(url: string): Endpoint {
  const { display, isLoopback } = parseEndpoint(url)
  const root = display.replace(/\/v1$/, '')
  const { search } = new URL(url)
  return { display: root, isLoopback, urlOf: (path) => `${root}/${path}${search}` }
}
