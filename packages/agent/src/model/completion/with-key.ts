/** Sends a key with every request. */
export function withKey(
  fetch: typeof globalThis.fetch,
  key: string | undefined,
): typeof globalThis.fetch {
  const secret = key?.trim()
  if (!secret) return fetch
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${secret}`)
    return fetch(input, { ...init, headers })
  }
}
