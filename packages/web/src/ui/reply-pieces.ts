import type { StripKind } from './strip.tsx'

/** A piece of what the model wrote, and what it was read as. */
export interface ReplyPiece {
  readonly kind: StripKind
  readonly text: string
}

/** As much as the server says about a piece of a reply. */
export interface SpannedSegment {
  readonly type: 'text' | 'reasoning' | 'mark' | 'call' | 'malformed' | 'result'
  readonly span: readonly [from: number, to: number]
}

/** Cuts a reply into what it was read as. What no segment covers is shown, too. */
export function replyPieces(
  content: string,
  segments: readonly SpannedSegment[],
): readonly ReplyPiece[] {
  const pieces: ReplyPiece[] = []
  let at = 0
  for (const { type, span } of segments) {
    const [from, to] = span
    if (to > content.length || from < at || to <= from) continue
    if (from > at) pieces.push({ kind: 'mark', text: content.slice(at, from) })
    pieces.push({ kind: type === 'result' ? 'made-up' : type, text: content.slice(from, to) })
    at = to
  }
  if (at < content.length) pieces.push({ kind: 'mark', text: content.slice(at) })
  return pieces
}
