import { asText, css, MAX_TEXT } from '../look.ts'
import { isTimeout, missing } from '../page-error.ts'
import { limitsOf, type RawText } from '../site.ts'
import type { RawPage } from './index.ts'

/** The first line of a code block that contains a call. */
const CALL = 'CALL'

/** The prompt for pages that preserve only code blocks. */
export const CODE_NOTE: string = `Your replies are shown on a page that removes tags. Write each tool call in its own code block whose first line is ${CALL}:

\`\`\`
${CALL}
(the call, exactly as described below)
\`\`\``

/** A part of a reply: visible text, or the content of a code block. */
export type Piece =
  | { readonly text: string; readonly code?: never }
  | { readonly code: string; readonly text?: never }

/** Reads the last reply. Code blocks are in their original form, all other text is as displayed. */
export async function readCode({
  page,
  site,
  raw: { block = 'pre code' },
}: RawPage<Extract<RawText, { from: 'code' }>>): Promise<string> {
  try {
    const reply = page.locator(css(site.reply)).last()
    const pieces = await reply.evaluate(
      piecesOf,
      { block, maxLength: MAX_TEXT + 1 },
      { timeout: limitsOf(site).load },
    )
    return joinPieces(Array.isArray(pieces) ? pieces.map(checked) : [])
  } catch (error) {
    if (isTimeout(error)) throw missing('reply', site.reply, 'a reply')
    if (/not a valid selector/.test((error as Error).message))
      throw missing('raw.block', block, 'code blocks')
    throw error
  }
}

/**
 * A page can change the behavior of its objects, so its results are converted to the expected
 * types.
 */
function checked(piece: Piece | null): Piece {
  const code = asText(piece?.code)
  return code === undefined ? { text: asText(piece?.text) ?? '' } : { code }
}

/**
 * Joins the parts of a reply. A block with a call becomes the call itself; all other blocks become
 * code blocks again.
 */
export function joinPieces(pieces: readonly Piece[]): string {
  const parts = pieces.map(({ text, code }) => {
    if (code === undefined) return text.replaceAll(/\n{3,}/g, '\n\n').trim()
    const lines = code.replaceAll('\r\n', '\n').split('\n')
    const first = lines.findIndex((line) => line.trim() !== '')
    if (lines[first]?.trim() === CALL)
      return lines
        .slice(first + 1)
        .join('\n')
        .trim()
    const body = code.replace(/\n$/, '')
    const fence = '`'.repeat(Math.max(3, longestFence(lines) + 1))
    return `${fence}\n${body}\n${fence}`
  })
  return parts.filter((part) => part !== '').join('\n\n')
}

function longestFence(lines: readonly string[]): number {
  return lines.reduce((most, line) => Math.max(most, /^`*/.exec(line.trimStart())![0].length), 0)
}

/** The properties of a node used here. */
interface PageNode {
  readonly nodeType: number
  readonly textContent: string | null
  readonly childNodes: Iterable<PageNode>
  matches(selector: string): boolean
}

/** Runs in the page. */
function piecesOf(
  root: PageNode,
  { block, maxLength }: { readonly block: string; readonly maxLength: number },
): Piece[] {
  const page = globalThis as unknown as {
    getComputedStyle(node: PageNode): { readonly display: string }
  }
  const pieces: ({ text: string } | { code: string })[] = []
  let left = maxLength
  const write = (text: string): void => {
    const last = pieces.at(-1)
    const part = text.slice(0, left)
    left -= part.length
    if (last && 'text' in last) last.text += part
    else pieces.push({ text: part })
  }
  const visit = (node: PageNode): void => {
    if (left <= 0) return
    if (node.nodeType === 3) return write(node.textContent ?? '')
    if (node.nodeType !== 1) return
    if (node.matches(block)) {
      const code = (node.textContent ?? '').slice(0, left)
      left -= code.length
      pieces.push({ code })
      return
    }
    const { display } = page.getComputedStyle(node)
    if (display === 'none' || node.matches('button')) return
    const isBlock = !/^(?:inline|contents)/.test(display)
    if (isBlock || node.matches('br')) write('\n')
    for (const child of node.childNodes) visit(child)
    if (isBlock) write('\n')
  }
  visit(root)
  return pieces
}
