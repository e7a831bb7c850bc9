// Folder: Pages and search engines.
import type { Web, WebHead, WebResponse } from '../host/web.ts'

/** The treatment of a body: convert a page, show text, or skip binary data. */
type Media = 'html' | 'text' | 'binary'

const UNKNOWN: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/unknown',
])

const TEXTS =
  /^application\/(.*\+)?(json|xml|yaml)$|^application\/(x-)?(ndjson|jsonl|json5|yaml|toml|javascript|ecmascript|typescript|sql|sh|graphql|www-form-urlencoded)$|^image\/svg\+xml$|^message\/rfc822$/

/** Backspace, tab, line breaks, form feed and escape. */
const SPACES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13, 27])

/** The format to return a page in. */
export type Format = 'markdown' | 'html'

/** A whole page as text. */
export interface Page {
  readonly text: string
  readonly url: string
  readonly status: number
  readonly type?: string
  /** True if the page is binary, so that the text only describes it. */
  readonly binary?: true
}

/** True if a response may contain text. */
export function isReadable(head: WebHead): boolean {
  return isSuccess(head) && mediaOf(contentTypeOf(head)) !== 'binary'
}

/** True if the status is a success. */
export function isSuccess({ status }: WebHead): boolean {
  return status >= 200 && status < 300
}

/**
 * Reads a response as text: pages become Markdown, text is unchanged, and other content is
 * described.
 */
export async function readPage(
  web: Web,
  url: URL,
  response: WebResponse,
  { format, signal }: { readonly format: Format; readonly signal: AbortSignal },
): Promise<Page> {
  const type = contentTypeOf(response)
  const facts = { url: url.href, status: response.status, type }
  if (!isReadable(response))
    return { ...facts, binary: true, text: describeUnreadable(type, response) }
  const media = sniffMedia(response.body, type)
  if (media === 'binary')
    return { ...facts, binary: true, text: describeUnreadable(type, response) }
  const text = decodeBody(response.body, response.headers['content-type'])
  if (media === 'text' || format === 'html') return { ...facts, text }
  return { ...facts, text: await web.markdown(text, { url: url.href, signal }) }
}

function describeUnreadable(type: string | undefined, { headers, body }: WebResponse): string {
  const size = body.length > 0 ? body.length : Number(headers['content-length'])
  const facts = [type ?? 'unknown type', size > 0 && `${size} bytes`].filter(Boolean).join(', ')
  return `This is not text (${facts}), so it is not shown. If you need it, download it with a command and read the file.`
}

/**
 * Decodes a body, in the encoding of its byte order mark, of the server or of the page itself;
 * otherwise as UTF-8.
 */
export function decodeBody(body: Uint8Array, contentType = ''): string {
  const start = Buffer.from(body.subarray(0, 1024)).toString('latin1')
  const label =
    byteOrderMarkIn(start) ??
    labelIn(/charset\s{0,9}=\s{0,9}["']?([^\s"';]{1,40})/i, contentType) ??
    labelIn(/<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([^\s"'/>;]{1,40})/i, start) ??
    labelIn(/^<\?xml[^>]{0,100}?encoding\s{0,9}=\s{0,9}["']([^"']{1,40})["']/i, start)
  return (decoderIn(label) ?? new TextDecoder()).decode(body)
}

function byteOrderMarkIn(start: string): string | undefined {
  if (start.startsWith('\xef\xbb\xbf')) return 'utf-8'
  if (start.startsWith('\xff\xfe')) return 'utf-16le'
  return start.startsWith('\xfe\xff') ? 'utf-16be' : undefined
}

function labelIn(pattern: RegExp, text: string): string | undefined {
  return pattern.exec(text)?.[1]
}

function decoderIn(label = 'utf-8') {
  try {
    return new TextDecoder(label)
  } catch {
    // An unknown label.
    return undefined
  }
}

/** The content type without parameters; undefined if it is missing or malformed. */
function contentTypeOf({ headers }: WebHead): string | undefined {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  return /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/.test(type) ? type : undefined
}

/** The treatment of a body by its content type; undefined if the body has to be examined. */
function mediaOf(type: string | undefined): Media | undefined {
  if (type === undefined || UNKNOWN.has(type)) return undefined
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  const isText = type.startsWith('text/') || TEXTS.test(type)
  return isText ? undefined : 'binary'
}

/** The treatment of a body, by its content type and first bytes. */
function sniffMedia(body: Uint8Array, type: string | undefined): Media {
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

function startsWith(body: Uint8Array, start: string): boolean {
  return Buffer.from(body.subarray(0, start.length)).toString('latin1') === start
}
