import { ToolError } from '@toolglot/agent'
import { runWorker, type WorkerLimits } from '../node/run-worker.ts'

/** The pages to read. */
export interface PageRange {
  /** From 1. */
  readonly first: number
  readonly last: number
}

/** Which pages `readPdfPages` reads, and its limits. */
export interface PdfPageOptions extends PageRange, Partial<WorkerLimits> {
  /** The file's name in messages. */
  readonly name: string
  /** No further page is read after this many characters. */
  readonly maxCharacters: number
  readonly signal: AbortSignal
}

/** The text of some pages of a PDF. */
export interface PdfPages {
  /** Number of pages in the PDF. */
  readonly total: number
  /** The requested pages; undefined for a page that cannot be read. */
  readonly pages: readonly (string | undefined)[]
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
