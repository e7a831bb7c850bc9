import { ToolError } from '@toolglot/agent'
import type { OpenFile } from '../host/files.ts'
import { type PageRange, readPdfPages } from './pdf-pages.ts'
import { MAX_SHOWN_BYTES } from '../file/limits.ts'
import { readWhole } from '../file/load.ts'
import type { ReadRequest } from './read-request.ts'
import type { ReadResult } from './read-result.ts'

/** Maximum number of pages in one result. */
const MAX_PAGES = 20

/** Reads the text of a PDF, page by page. */
export async function readPdf(file: OpenFile, request: ReadRequest): Promise<ReadResult> {
  const { name, signal } = request
  const requested = rangeOf(request)
  const bytes = await readWhole(file, name, signal)
  const range = {
    ...requested,
    last: Math.min(requested.last, requested.first + MAX_PAGES - 1),
  }
  const { total, pages } = await readPdfPages(bytes, {
    ...range,
    name,
    signal,
    maxCharacters: MAX_SHOWN_BYTES,
  })
  if (range.first > total) throw pastEnd(name, total)

  const shown = pages.map(
    (text, index) => `--- page ${range.first + index} ---\n${text ?? '(this page cannot be read)'}`,
  )
  const all = shown.join('\n\n')
  const content = all.slice(0, MAX_SHOWN_BYTES)
  const last = range.first + pages.length - 1
  const wanted = Math.min(requested.last, total)
  const notices = [
    `Pages ${range.first}-${last} of ${total}.`,
    last < wanted || (request.pages === undefined && last < total)
      ? `Use pages: "${last + 1}-${Math.min(last + MAX_PAGES, total)}" to continue.`
      : '',
    content.length < all.length ? `Page ${last} was cut.` : '',
    pages.every((text) => text !== undefined && text.trim() === '')
      ? 'There is no text on these pages: they may be scanned images.'
      : '',
  ]
  return {
    content,
    total_lines: content.split('\n').length,
    path: file.facts.path,
    size: file.facts.size,
    kind: 'pdf',
    total_pages: total,
    first_page: range.first,
    last_page: last,
    notice: notices.filter((part) => part !== '').join(' '),
  }
}

function rangeOf({ pages, name }: ReadRequest): PageRange {
  const [first = 1, last = pages === undefined ? Infinity : first] =
    pages?.split('-').map(Number) ?? []
  if (first >= 1 && last >= first) return { first, last }
  throw new ToolError(
    'invalid_input',
    `Expected pages of ${name} such as 3 or 1-5, starting at 1; got ${pages}.`,
    { code: 'pages', path: name },
  )
}

function pastEnd(name: string, total: number): ToolError {
  const pages = total === 1 ? '1 page' : `${total} pages`
  return new ToolError('invalid_input', `${name} has only ${pages}.`, {
    code: 'pages',
    path: name,
    total_pages: total,
  })
}
