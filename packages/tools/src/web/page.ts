import type { Web, WebHead, WebResponse } from '../host/web.ts'
import { decodeBody } from './decode-body.ts'
import { mediaOf, sniffMedia, contentTypeOf } from './media.ts'

/** How a page is wanted. */
export type Format = 'markdown' | 'html'

/** A page as text, whole. */
export interface Page {
  readonly text: string
  readonly url: string
  readonly status: number
  readonly type?: string
  /** There is nothing to read: the text says so. */
  readonly binary?: true
}

/** Whether there may be something to read in an answer. */
export function isReadable(head: WebHead): boolean {
  return isSuccess(head) && mediaOf(contentTypeOf(head)) !== 'binary'
}

export function isSuccess({ status }: WebHead): boolean {
  return status >= 200 && status < 300
}

/** An answer as text: pages are turned into Markdown, text stays as it is, of the rest it is said what it is. */
export async function readPage(
  web: Web,
  url: URL,
  response: WebResponse,
  { format, signal }: { readonly format: Format; readonly signal: AbortSignal },
): Promise<Page> {
  const type = contentTypeOf(response)
  const facts = { url: url.href, status: response.status, ...(type !== undefined && { type }) }
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
  const facts = [type ?? 'of no known type', size > 0 && `${size} bytes`].filter(Boolean).join(', ')
  return `This is no text (${facts}), and it is not shown. If it is needed, download it with a command and read the file.`
}
