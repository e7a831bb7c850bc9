import { memo, useMemo, type ReactNode } from 'react'
import { type SpannedSegment, ReplyText } from '../../ui/reply-text.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { kindOf, startOf, firstOver } from '../pieces.ts'
import { ProtocolName } from '../protocol-option.tsx'
import { TrackStrip } from '../replay/track-strip.tsx'
import { CountChips } from '../understood/count-chips.tsx'
import type { Pieces, Track, Questions } from '../worker/messages.ts'
import { UnderstoodItem } from '../understood/understood-item.tsx'

/** Classes of a column. */
export const COLUMN =
  'grid min-w-0 content-start gap-2 border-l border-line px-3 py-2.5 first:border-l-0 phone:border-t phone:border-l-0 [&_.wire]:max-h-none [&_.wire]:text-11'

/** A range of a text: from, to. */
type Part = readonly [from: number, to: number]

/** The number of characters shown around a difference. */
const AROUND = 24

/** The ranges of a text on which the readings disagree, with some context. */
export function differences(readings: readonly Pieces[], length: number): readonly Part[] {
  const cuts = new Set<number>([0, length])
  for (const { ends } of readings) for (const end of ends) cuts.add(end)
  const sorted = [...cuts].sort((a, b) => a - b)
  const parts: [number, number][] = []
  for (let at = 0; at + 1 < sorted.length; at++) {
    const from = sorted[at]!
    const kinds = readings.map(({ kinds: all, ends }) => all[firstOver(ends, from)])
    if (kinds.every((kind) => kind === kinds[0])) continue
    const start = Math.max(0, from - AROUND)
    const end = Math.min(length, sorted[at + 1]! + AROUND)
    const last = parts.at(-1)
    if (last && start <= last[1]) last[1] = end
    else parts.push([start, end])
  }
  return parts
}

/** The maximum number of ranges drawn, and of pieces in them. */
const MAX_PARTS = 40
const MAX_PIECES = 4000

/** The reading of one protocol. */
export const CompareColumn = memo(function CompareColumn({
  id,
  about,
  track,
  pieces,
  cards,
  parts,
  text,
}: {
  readonly id: string
  readonly about: string
  readonly track: Track | undefined
  readonly pieces: Pieces | undefined
  readonly cards: Cards | undefined
  /** The ranges to show; undefined for the whole text. */
  readonly parts: readonly Part[] | undefined
  readonly text: string
}): ReactNode {
  const { t } = useWords()
  const others = track?.protocols.filter((each) => each !== id) ?? []
  const shown = useMemo(
    () =>
      pieces &&
      (parts ?? [[0, text.length] as const])
        .slice(0, MAX_PARTS)
        .map((part) => cutOut(text, pieces, part)),
    [pieces, parts, text],
  )
  return (
    <section className={COLUMN} aria-label={id} data-protocol={id}>
      <div className="cluster">
        <h2 className="font-600">
          <ProtocolName id={id} />
        </h2>
        {track && <CountChips counts={track.counts} />}
      </div>
      {track && <TrackStrip pieces={track.strip} />}
      <p className="text-ink-2">
        <VisibleText text={about} />
      </p>
      {track && others.length > 0 && (
        <p className="text-ink-2">
          {t('parser.compare.same', { count: others.length, protocols: firstOf(others) })}
        </p>
      )}
      {shown?.length === 0 && <p className="text-ink-3">{t('parser.compare.noDifference')}</p>}
      {shown?.map(({ content, segments, from }) => (
        <ReplyText
          key={from}
          content={content}
          segments={segments}
          label={t('parser.compare.reading', { protocol: id })}
        />
      ))}
      {cards && cards.items.length > 0 && <CompareCards {...cards} length={text.length} />}
    </section>
  )
})

/** The first few of many names. */
function firstOf(names: readonly string[]): string {
  const first = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${first}, …` : first
}

/** A range of a text with its pieces. */
function cutOut(
  text: string,
  pieces: Pieces,
  [from, to]: Part,
): {
  readonly content: string
  readonly segments: readonly SpannedSegment[]
  readonly from: number
} {
  const segments: SpannedSegment[] = []
  for (let at = 0; at < pieces.kinds.length && segments.length < MAX_PIECES; at++) {
    const start = Math.max(startOf(pieces, at), from)
    const end = Math.min(pieces.ends[at]!, to)
    if (start >= to) break
    if (end <= start) continue
    const kind = kindOf(pieces, at)
    segments.push({ type: kind === 'made-up' ? 'result' : kind, span: [start - from, end - from] })
  }
  return { content: text.slice(from, to), segments, from }
}

/** The calls and malformed pieces of a protocol's reading. */
export type Cards = Questions['cards']['output']

/** Cards as in the list of pieces, so that arguments and repairs can be compared. */
function CompareCards({ items, left, length }: Cards & { readonly length: number }): ReactNode {
  const { t } = useWords()
  return (
    <>
      {items.map((item) => (
        <UnderstoodItem key={item.at} item={item} until={length} isHot={false} />
      ))}
      {left > 0 && <p className="text-ink-2">{t('parser.compare.more', { count: left })}</p>}
    </>
  )
}
