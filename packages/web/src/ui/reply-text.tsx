import { useMemo, useState, type ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { spellUnseen } from './unseen.ts'
import { type StripKind, TEXT_CLASSES } from './strip.tsx'
import { Button } from './button.tsx'

/** The number of pieces drawn at a time, and the maximum length of each. */
const PIECES = 100
const MAX_PIECE = 20_000

/** A model's reply, colored by the kinds of its pieces, a part at a time. */
export function ReplyText({
  content,
  segments,
  label,
  empty,
}: {
  readonly content: string
  readonly segments: readonly SpannedSegment[]
  readonly label: string
  /** The text for an empty reply. */
  readonly empty?: string
}): ReactNode {
  const { t } = useWords()
  const [steps, setSteps] = useState(1)
  const pieces = useMemo(() => replyPieces(content, segments), [content, segments])
  const maxPiece = MAX_PIECE * steps
  const isCut = pieces.length > PIECES * steps || pieces.some(({ text }) => text.length > maxPiece)
  return (
    <>
      <div className="wire" tabIndex={0} role="region" aria-label={label}>
        {pieces.slice(0, PIECES * steps).map(({ kind, text }, at) => (
          <span key={at} className={TEXT_CLASSES[kind]}>
            {spellUnseen(text.slice(0, maxPiece))}
            {text.length > maxPiece && ' …'}
          </span>
        ))}
        {content === '' && <span className="text-ink-3">{empty}</span>}
      </div>
      {isCut && (
        <div>
          <Button small onClick={() => setSteps(steps + 1)}>
            {t('chat.wrote.more')}
          </Button>
        </div>
      )}
    </>
  )
}

/** A piece of a reply with its kind. */
interface ReplyPiece {
  readonly kind: StripKind
  readonly text: string
}

/** The fields that the server sends about a piece of a reply. */
export interface SpannedSegment {
  readonly type: 'text' | 'reasoning' | 'mark' | 'call' | 'malformed' | 'result'
  readonly span: readonly [from: number, to: number]
}

/** Cuts a reply into pieces by kind. Text outside all segments is included. */
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
