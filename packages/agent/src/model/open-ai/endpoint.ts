/** Where an OpenAI-compatible server is. */
export interface Endpoint {
  /** For people: without a query, which may hold a key. */
  readonly shown: string
  /** The address of a path of the API, such as `chat/completions`. */
  at(path: string): string
  readonly isLoopback: boolean
}

/** Reads a base URL, as people write it: with or without `/v1`, a slash, or the path of chat completions behind it. */
export function endpointOf(url: string): Endpoint {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (!base || !/^https?:$/.test(base.protocol)) {
    throw new TypeError(
      'expected the URL of a server, such as http://127.0.0.1:11434/v1, got something else',
    )
  }
  if (base.username || base.password) {
    throw new TypeError('expected a URL without a name or password in it: give the key as `key`')
  }
  const path = base.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  const root = path === '' ? '/v1' : path
  return {
    shown: `${base.origin}${root}`,
    at: (name) => `${base.origin}${root}/${name}${base.search}`,
    isLoopback: isLoopback(base.hostname),
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
