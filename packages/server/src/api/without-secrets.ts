import { isObject, redactAll } from '@toolglot/agent/internal'

/** The placeholder for a hidden value. */
const HIDDEN = '(hidden)'

/**
 * The value of a setting without possible secrets: values of environment variables and headers, URL
 * queries, keys.
 */
export function settingWithoutSecrets(key: string, value: unknown): unknown {
  const shown = redactAll(value)
  if (key !== 'mcpServers' || !isObject(shown)) return shown
  return Object.fromEntries(
    Object.entries(shown).map(([name, server]) => [
      name,
      isObject(server) ? hideIn(server) : server,
    ]),
  )
}

/** A URL without a user, a password, a query or a fragment. Other text is returned unchanged. */
export function publicUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  const isPlain = `${url.username}${url.password}${url.search}${url.hash}` === ''
  return isPlain ? text : `${url.protocol}//${url.host}${url.pathname}`
}

/** Removes keys and the possibly secret parts of these URLs from a text. */
export function textWithoutSecrets(text: string, urls: readonly string[]): string {
  return redactAll(urls.reduce((rest, url) => rest.replaceAll(url, publicUrl(url)), text))
}

function hideIn(server: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(server).map(([key, value]) => {
      if (key === 'url' && typeof value === 'string') return [key, publicUrl(value)]
      return [
        key,
        (key === 'env' || key === 'headers') && isObject(value) ? hideEach(value) : value,
      ]
    }),
  )
}

/** References to the environment such as `${TOKEN}` are not secret. */
function hideEach(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isReference = (value: unknown): boolean =>
    typeof value === 'string' && /^(?:Bearer )?\$\{\w+\}$/.test(value)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isReference(value) ? value : HIDDEN]),
  )
}

/**
 * Restores the values hidden from a client: `shown` is what the client saw, and `meant` the
 * original.
 */
export function restoreHidden(given: unknown, shown: unknown, meant: unknown): unknown {
  if (typeof given === 'string') return given === shown && typeof meant === 'string' ? meant : given
  if (Array.isArray(given))
    return given.map((each, at) => restoreHidden(each, itemOf(shown, at), itemOf(meant, at)))
  if (!isObject(given)) return given
  return Object.fromEntries(
    Object.entries(given).map(([key, each]) => [
      key,
      restoreHidden(each, itemOf(shown, key), itemOf(meant, key)),
    ]),
  )
}

/** True if a value contains the placeholder for hidden values. */
export function containsHidden(value: unknown): boolean {
  const text = JSON.stringify(value) ?? ''
  return text.includes(HIDDEN) || text.includes('[redacted]')
}

function itemOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined
}
