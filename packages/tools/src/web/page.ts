import type { Web, WebHead, WebResponse } from '../host/web.ts'
import { decodeBody } from './decode-body.ts'
import { mediaOf, sniffMedia, contentTypeOf } from './media.ts'

/** The format to return a page in. */
export type Format = 'markdown' | 'html'

/** A whole page as text. */
export interface Page {
  readonly text: string
  readonly url: string
  readonly status: number
  readonly type?: string
  /** It is binary: the text only describes it. */
  readonly binary?: true
}

/** Whether a response may contain text. */
export function isReadable(head: WebHead): boolean {
  return isSuccess(head) && mediaOf(contentTypeOf(head)) !== 'binary'
}

/** Whether the status is a success. */
export function isSuccess({ status }: WebHead): boolean {
  return status >= 200 && status < 300
}

/** Reads a response as text: pages become Markdown, text is kept, anything else is described. */
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
  const facts = [type ?? 'unknown type', size > 0 && `${size} bytes`].filter(Boolean).join(', ')
  return `This is not text (${facts}), so it is not shown. If you need it, download it with a command and read the file.`
}
