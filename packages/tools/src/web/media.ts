import type { WebHead } from '../host/web.ts'

/** What can be made of a body: a page to convert, text to show, or nothing to read. */
export type Media = 'html' | 'text' | 'binary'

/** The type a server names, without what follows it; it is a stranger's text, so odd ones are none. */
export function contentTypeOf({ headers }: WebHead): string | undefined {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  return /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/.test(type) ? type : undefined
}

/** What a type says of a body before it is read; undefined: look at the body. */
export function mediaOf(type: string | undefined): Media | undefined {
  if (type === undefined || UNKNOWN.has(type)) return undefined
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  const isText = type.startsWith('text/') || TEXTS.test(type)
  return isText ? undefined : 'binary'
}

const UNKNOWN: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/unknown',
])

const TEXTS =
  /^application\/(.*\+)?(json|xml|yaml)$|^application\/(x-)?(ndjson|jsonl|json5|yaml|toml|javascript|ecmascript|typescript|sql|sh|graphql|www-form-urlencoded)$|^image\/svg\+xml$|^message\/rfc822$/

/** What a body is, by its beginning. */
export function sniffMedia(body: Uint8Array, type: string | undefined): Media {
  const declared = mediaOf(type)
  if (startsWith(body, '%PDF-')) return 'binary'
  if (declared) return declared
  const start = Buffer.from(body.subarray(0, 4096))
  const isWide = startsWith(body, '\xff\xfe') || startsWith(body, '\xfe\xff')
  if (!isWide && start.some((byte) => byte === 0 || (byte < 32 && !SPACES.has(byte))))
    return 'binary'
  const text = start.toString('latin1').trimStart().toLowerCase()
  const isPage = text.startsWith('<!doctype html') || text.startsWith('<html')
  return isPage && (type === undefined || UNKNOWN.has(type)) ? 'html' : 'text'
}

/** Tab, line ends, form feed and the escape of terminals. */
const SPACES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13, 27])

function startsWith(body: Uint8Array, start: string): boolean {
  return Buffer.from(body.subarray(0, start.length)).toString('latin1') === start
}
