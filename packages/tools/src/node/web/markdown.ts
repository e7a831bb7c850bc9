import { ToolError } from '@toolglot/agent'
import { runWorker } from '../run-worker.ts'

/** Limits for converting a page. */
export interface MarkdownLimits {
  /** The time limit for each attempt, in milliseconds. */
  readonly timeout?: number | undefined
  /** The memory limit for each attempt, in MB. */
  readonly memory?: number | undefined
}

/** Options for `toMarkdown`. */
interface MarkdownOptions extends MarkdownLimits {
  readonly url: string
  readonly signal: AbortSignal
}

/** In characters. Finding the main content of a larger page takes too long. */
const MAX_SEARCHED = 1_000_000

const WORKER = new URL('../../../workers/markdown.js', import.meta.url)

/**
 * Converts a page to Markdown: its main content, or the whole page if that cannot be found in time.
 * Each attempt runs in its own thread, which is terminated when it exceeds its limits.
 */
export async function toMarkdown(
  html: string,
  { url, signal, timeout = 10_000, memory = 512 }: MarkdownOptions,
): Promise<string> {
  for (const whole of html.length > MAX_SEARCHED ? [true] : [false, true]) {
    const text = await runWorker<string>(WORKER, { html, url, whole }, { signal, timeout, memory })
    if (text !== undefined && text.trim() !== '') return text
    if (text !== undefined && whole) return ''
  }
  throw new ToolError(
    'execution_failed',
    `${url} could not be converted to Markdown. Fetch it again with format "html".`,
    { code: 'conversion_failed' },
  )
}
