import { ToolError } from '@toolglot/agent'
import type { OpenFile } from '../host/files.ts'
import { MAX_SHOWN_BYTES, readWhole } from '../file/load.ts'
import type { ReadRequest, ReadResult } from './read-result.ts'
import { runWorker, type WorkerLimits } from '../node/run-worker.ts'

/** The pages to read. */
interface PageRange {
  /** The first page, starting at 1. */
  readonly first: number
  readonly last: number
}

/** The pages that `readPdfPages` reads, and its limits. */
interface PdfPageOptions extends PageRange, Partial<WorkerLimits> {
  /** The file's name in messages. */
  readonly name: string
  /** Reading stops after the page that reaches this number of characters. */
  readonly maxCharacters: number
  readonly signal: AbortSignal
}

/** The text of some pages of a PDF. */
interface PdfPages {
  /** Number of pages in the PDF. */
  readonly total: number
  /** The requested pages; undefined for a page that cannot be read. */
  readonly pages: readonly (string | undefined)[]
}

const WORKER = new URL('../../workers/pdf.js', import.meta.url)

type Problem = readonly [code: string, message: string]

const BROKEN: Problem = ['pdf_broken', 'starts like a PDF, but cannot be read as one.']

const PROBLEMS: ReadonlyMap<string, Problem> = new Map<string, Problem>([
  ['PasswordException', ['pdf_encrypted', 'is a PDF that requires a password.']],
  [
    'TooLarge',
    [
      'pdf_too_large',
      'is a PDF that takes too much time or memory to read. Request fewer pages at once.',
    ],
  ],
])

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
    `The pages of ${name} must be such as 3 or 1-5, starting at 1, not ${pages}.`,
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

/** Extracts the text of some pages of a PDF, in a worker thread with limits. */
export async function readPdfPages(
  bytes: Uint8Array,
  { name, signal, timeout = 20_000, memory = 256, ...range }: PdfPageOptions,
): Promise<PdfPages> {
  const limits = { signal, timeout, memory }
  const found = await runWorker<PdfPages | { readonly problem: string }>(
    WORKER,
    { bytes, memory, ...range },
    limits,
  )
  if (found && 'total' in found) return found
  const problem = found?.problem ?? 'TooLarge'
  const [code, message] = PROBLEMS.get(problem) ?? BROKEN
  throw new ToolError('invalid_input', `${name} ${message}`, { code, path: name })
}
