import { redactAll } from '@toolglot/agent/internal'

/** What stands for a value that is not shown. */
export const HIDDEN = '(hidden)'

/** The value of a setting without what may be secret: the values of environment variables and headers, queries of URLs, keys. */
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

/** A URL without a user, a password, a query or a fragment. What is not a URL stays as it is. */
export function publicUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  const isPlain = `${url.username}${url.password}${url.search}${url.hash}` === ''
  return isPlain ? text : `${url.protocol}//${url.host}${url.pathname}`
}

/** A text without the parts of these URLs that may be secret, and without keys. */
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
