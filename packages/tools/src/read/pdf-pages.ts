import { ToolError } from '@toolglot/agent'
import { runWorker, type WorkerLimits } from '../node/run-worker.ts'

export interface PageRange {
  /** From 1. */
  readonly first: number
  readonly last: number
}

export interface PageOptions extends PageRange, Partial<WorkerLimits> {
  /** What the file is called in messages. */
  readonly name: string
  /** After so many characters no other page is begun. */
  readonly most: number
  readonly signal: AbortSignal
}

export interface PageTexts {
  /** How many pages there are. */
  readonly total: number
  /** Those that were asked for; undefined for one that cannot be read. */
  readonly pages: readonly (string | undefined)[]
}

/** The texts of some pages of a PDF. */
export async function pageTexts(
  bytes: Uint8Array,
  { name, signal, timeout = 20_000, memory = 256, ...range }: PageOptions,
): Promise<PageTexts> {
  const limits = { signal, timeout, memory }
  const found = await runWorker<PageTexts | { readonly problem: string }>(
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

const BROKEN: Problem = ['pdf_broken', 'begins like a PDF, but is none that can be read.']

const PROBLEMS: ReadonlyMap<string, Problem> = new Map<string, Problem>([
  ['PasswordException', ['pdf_encrypted', 'is a PDF that only a password opens.']],
  [
    'TooLarge',
    [
      'pdf_too_large',
      'is a PDF that takes too much time or room to read. Ask for fewer pages at once.',
    ],
  ],
])
