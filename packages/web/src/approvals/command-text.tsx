import type { DecisionPart, Verdict } from '@toolglot/permissions'
import { useMemo, type ReactNode } from 'react'
import { isLong } from '../ui/diff-page.ts'
import { useWords } from '../words/words.ts'
import { LongShellText, ShellBox, ShellText } from './shell-text.tsx'

/**
 * A segment of a command text with the parts of the decision that cover it, and their strictest
 * verdict.
 */
interface Segment {
  readonly text: string
  /** Indexes of the parts. Empty for text between parts, such as `&&`. */
  readonly parts: readonly number[]
  readonly verdict?: Verdict
}

interface Span {
  readonly from: number
  readonly to: number
  readonly parts: number[]
}

/** The maximum number of underlined parts; the table lists all of them. */
const MAX_PLACES = 200

const UNDERLINES: Readonly<Record<Verdict, string>> = {
  allow: 'border-solid-ok',
  ask: 'border-solid-wait',
  deny: 'border-solid-no',
}

const STRICTNESS: readonly Verdict[] = ['allow', 'ask', 'deny']

/**
 * The exact text of a command, with every judged part underlined by its verdict. A long text is
 * shown page by page and without underlines.
 */
export function CommandText({
  text,
  parts,
  active,
  onActive,
}: {
  readonly text: string
  readonly parts: readonly DecisionPart[]
  /** Indexes of the parts under the pointer. */
  readonly active: readonly number[]
  readonly onActive: (parts: readonly number[]) => void
}): ReactNode {
  const { t } = useWords()
  const segments = useMemo(
    () => (isLong(text) ? undefined : segmentsOf(text, parts)),
    [text, parts],
  )
  if (!segments) return <LongShellText text={text} label={t('approvals.command')} />
  return (
    <ShellBox label={t('approvals.command')}>
      {segments.map((segment, at) =>
        segment.verdict ? (
          <span
            key={at}
            className={`cursor-default border-b-2 box-decoration-clone py-px ${UNDERLINES[segment.verdict]} ${segment.parts.some((part) => active.includes(part)) ? 'bg-[color-mix(in_srgb,var(--solid-wait)_26%,transparent)]' : ''}`}
            onMouseEnter={() => onActive(segment.parts)}
            onMouseLeave={() => onActive([])}
          >
            <ShellText text={segment.text} />
          </span>
        ) : (
          <ShellText key={at} text={segment.text} />
        ),
      )}
    </ShellBox>
  )
}

/**
 * Divides a command text into its judged parts and the text between them. Nested commands are
 * separate parts.
 */
export function segmentsOf(text: string, parts: readonly DecisionPart[]): readonly Segment[] {
  const spans = spansOf(text, parts)
  const edges = new Set([0, text.length, ...spans.flatMap(({ from, to }) => [from, to])])
  const sorted = [...edges].sort((one, other) => one - other)
  const segments: Segment[] = []
  for (const [at, from] of sorted.entries()) {
    const to = sorted[at + 1]
    if (to === undefined) break
    const inside = spans.filter((span) => span.from <= from && to <= span.to)
    const smallest = inside.reduce<Span | undefined>(
      (best, span) => (best && best.to - best.from <= span.to - span.from ? best : span),
      undefined,
    )
    segments.push(segmentOf(text.slice(from, to), smallest?.parts ?? [], parts))
  }
  return segments
}

function segmentOf(text: string, own: readonly number[], parts: readonly DecisionPart[]): Segment {
  if (own.length === 0) return { text, parts: own }
  const worst = Math.max(...own.map((at) => STRICTNESS.indexOf(parts[at]!.verdict)))
  return { text, parts: own, verdict: STRICTNESS[worst]! }
}

/**
 * The positions of the parts. A part about the whole command, or one that is not found, has none.
 */
function spansOf(text: string, parts: readonly DecisionPart[]): Span[] {
  const spans: Span[] = []
  for (const [at, { subject }] of parts.slice(0, MAX_PLACES).entries()) {
    if (!subject || !('words' in subject)) continue
    // Uses the written text: the judged text contains file names instead of patterns.
    const { text: written } = subject
    const from = placeOf(text, written, spans)
    if (from !== undefined) spans.push({ from, to: from + written.length, parts: [at] })
    // In a loop, one place stands for several commands.
    else spans.find((span) => text.slice(span.from, span.to) === written)?.parts.push(at)
  }
  for (const [at, { subject }] of parts.slice(0, MAX_PLACES).entries()) {
    if (!subject || !('because' in subject) || subject.because === '') continue
    const { because } = subject
    const command = spans.find(({ parts: [own] }) => isBecauseOf(because, parts[own!]!))
    const from = command ? undefined : placeOf(text, because, [])
    if (command) command.parts.push(at)
    else if (from !== undefined) spans.push({ from, to: from + because.length, parts: [at] })
  }
  return spans
}

/**
 * True if this command is the reason, which contains only the command's essential words: `rm /` for
 * `rm -rf /`.
 */
function isBecauseOf(because: string, { subject }: DecisionPart): boolean {
  if (!subject || !('words' in subject)) return false
  const { text, words } = subject
  if (text === because) return true
  const [first, ...rest] = because.split(' ')
  return rest.length > 0 && words[0] === first && rest.every((word) => words.includes(word))
}

/**
 * The first free position of a part's text: preferably outside other parts, and at the start of a
 * word.
 */
function placeOf(text: string, what: string, spans: readonly Span[]): number | undefined {
  let best: { readonly from: number; readonly rank: number } | undefined
  if (what === '') return undefined
  for (let from = text.indexOf(what); from >= 0; from = text.indexOf(what, from + 1)) {
    const to = from + what.length
    if (spans.some((span) => span.from === from && span.to === to)) continue
    const isWhole = isEdge(text[from - 1]) && isEdge(text[to])
    const isInside = spans.some((span) => span.from <= from && to <= span.to)
    const rank = (isWhole ? 0 : 2) + (isInside ? 1 : 0)
    if (!best || rank < best.rank) best = { from, rank }
    if (rank === 0) break
  }
  return best?.from
}

function isEdge(character: string | undefined): boolean {
  return character === undefined || /[\s;&|(){}`$"'<>!]/.test(character)
}
