import type { WebHead } from '../host/web.ts'

/** How to treat a body: convert a page, show text, or skip binary data. */
export type Media = 'html' | 'text' | 'binary'

/** The content type without parameters; undefined if it is missing or malformed. */
export function contentTypeOf({ headers }: WebHead): string | undefined {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  return /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/.test(type) ? type : undefined
}

/** How to treat a body by its content type; undefined if the body has to be examined. */
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

/** How to treat a body, by its content type and first bytes. */
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

/** Backspace, tab, line breaks, form feed and escape. */
const SPACES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13, 27])

function startsWith(body: Uint8Array, start: string): boolean {
  return Buffer.from(body.subarray(0, start.length)).toString('latin1') === start
}
