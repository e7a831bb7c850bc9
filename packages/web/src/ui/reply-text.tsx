import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { replyPieces, type SpannedSegment } from './reply-pieces.ts'
import { spellUnseen } from './spell-unseen.ts'
import type { StripKind } from './strip.tsx'

const CLASSES: Readonly<Record<StripKind, string>> = {
  text: '',
  mark: 'w-k',
  reasoning: 'w-r',
  call: 'w-c',
  malformed: 'w-m',
  'made-up': 'w-f',
  waiting: 'w-c',
  done: 'w-c',
}
/** How many pieces are drawn at a time, and how much of each. */
const PIECES = 100
const MAX_PIECE = 20_000

/** What a model wrote, coloured by what it was read as, some of it at a time. */
export function ReplyText({
  content,
  segments,
  label,
  empty,
}: {
  readonly content: string
  readonly segments: readonly SpannedSegment[]
  readonly label: string
  /** What to say if it wrote nothing. */
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
          <span key={at} className={CLASSES[kind]}>
            {spellUnseen(text.slice(0, maxPiece))}
            {text.length > maxPiece && ' …'}
          </span>
        ))}
        {content === '' && <span className="dim-2">{empty}</span>}
      </div>
      {isCut && (
        <div>
          <button type="button" className="btn sm" onClick={() => setSteps(steps + 1)}>
            {t('chat.wrote.more')}
          </button>
        </div>
      )}
    </>
  )
}
