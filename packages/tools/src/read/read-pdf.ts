import { ToolError } from '@toolglot/agent'
import type { OpenFile } from '../host/files.ts'
import { type PageRange, pageTexts } from './pdf-pages.ts'
import { SHOWN_BYTES } from '../file/limits.ts'
import { wholeOf } from '../file/load.ts'
import type { Request } from './read-request.ts'
import type { ReadResult } from './read-result.ts'

/** How many pages are shown at once. */
const PAGES = 20

/** The text of a PDF, page by page. */
export async function readPdf(file: OpenFile, request: Request): Promise<ReadResult> {
  const { name, signal } = request
  const asked = rangeOf(request)
  const bytes = await wholeOf(file, name, signal)
  const range = { ...asked, last: Math.min(asked.last, asked.first + PAGES - 1) }
  const { total, pages } = await pageTexts(bytes, { ...range, name, signal, most: SHOWN_BYTES })
  if (range.first > total) throw beyond(name, total)

  const shown = pages.map(
    (text, index) => `--- page ${range.first + index} ---\n${text ?? '(it cannot be read)'}`,
  )
  const all = shown.join('\n\n')
  const content = all.slice(0, SHOWN_BYTES)
  const last = range.first + pages.length - 1
  const wanted = Math.min(asked.last, total)
  const notices = [
    `Pages ${range.first}-${last} of ${total}.`,
    last < wanted || (request.pages === undefined && last < total)
      ? `pages: "${last + 1}-${Math.min(last + PAGES, total)}" shows more.`
      : '',
    content.length < all.length ? `Page ${last} was cut.` : '',
    pages.every((text) => text !== undefined && text.trim() === '')
      ? 'There is no text on these pages: they may be pictures of text, as a scanner makes them.'
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

function rangeOf({ pages, name }: Request): PageRange {
  const [first = 1, last = pages === undefined ? Infinity : first] =
    pages?.split('-').map(Number) ?? []
  if (first >= 1 && last >= first) return { first, last }
  throw new ToolError(
    'invalid_input',
    `Expected pages of ${name} such as 3 or 1-5, counted from 1, got ${pages}.`,
    { code: 'pages', path: name },
  )
}

function beyond(name: string, total: number): ToolError {
  const pages = total === 1 ? '1 page' : `${total} pages`
  return new ToolError('invalid_input', `${name} has only ${pages}.`, {
    code: 'pages',
    path: name,
    total_pages: total,
  })
}
