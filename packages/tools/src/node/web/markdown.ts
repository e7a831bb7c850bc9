import { ToolError } from '@toolglot/agent'
import { runWorker } from '../../worker/run-worker.ts'

export interface MarkdownLimits {
  /** Of each try, in milliseconds. */
  readonly timeout?: number
  /** Of each try, in MB. */
  readonly memory?: number
}

export interface MarkdownOptions extends MarkdownLimits {
  readonly url: string
  readonly signal: AbortSignal
}

/**
 * A page as Markdown: its main part, or all of it where that cannot be found in time. Each try has a thread of its own,
 * which is ended when it takes too long or too much.
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
    `${url} is a page that could not be turned into Markdown. Fetch it again with format "html".`,
    { code: 'conversion_failed' },
  )
}

/** In larger pages the main part is not found within any patience. In characters. */
const MAX_SEARCHED = 1_000_000

const WORKER = new URL('../../../workers/markdown.js', import.meta.url)
