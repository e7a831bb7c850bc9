import type { DecisionPart, Verdict } from '@toolglot/permissions'
import { useMemo, type ReactNode } from 'react'
import { isLong } from '../ui/diff-page.ts'
import { useWords } from '../words/words.ts'
import { LongShellText, ShellBox, ShellText } from './shell-text.tsx'

/** A piece of a command text: which parts of the decision it is, if any, and the strictest verdict on them. */
interface Segment {
  readonly text: string
  /** Indexes of the parts. Empty for the text between them, such as `&&`. */
  readonly parts: readonly number[]
  readonly verdict?: Verdict
}

interface Span {
  readonly from: number
  readonly to: number
  readonly parts: number[]
}

/** Nobody looks at more underlined parts; the table has all of them. */
const MAX_PLACES = 200

const UNDERLINES: Readonly<Record<Verdict, string>> = {
  allow: 'border-solid-ok',
  ask: 'border-solid-wait',
  deny: 'border-solid-no',
}

const STRICTNESS: readonly Verdict[] = ['allow', 'ask', 'deny']

/** The exact text of a command, with every judged part underlined by its verdict. A long one is shown page by page, without. */
export function CommandText({
  text,
  parts,
  active,
  onActive,
}: {
  readonly text: string
  readonly parts: readonly DecisionPart[]
  /** Indexes of the parts that are pointed at. */
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

/** Divides a command text into its judged parts and the text between them. Commands in commands are parts of their own. */
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

/** Where the parts are. What a part is about as a whole, and what cannot be found, has no place. */
function spansOf(text: string, parts: readonly DecisionPart[]): Span[] {
  const spans: Span[] = []
  for (const [at, { subject }] of parts.slice(0, MAX_PLACES).entries()) {
    if (!subject || !('words' in subject)) continue
    // Not what it is judged as: that has names of files instead of patterns.
    const { text: written } = subject
    const from = placeOf(text, written, spans)
    if (from !== undefined) spans.push({ from, to: from + written.length, parts: [at] })
    // In a loop, one place is several commands.
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

/** Whether this command is the reason: the words of it that matter are given, `rm /` for `rm -rf /`. */
function isBecauseOf(because: string, { subject }: DecisionPart): boolean {
  if (!subject || !('words' in subject)) return false
  const { text, words } = subject
  if (text === because) return true
  const [first, ...rest] = because.split(' ')
  return rest.length > 0 && words[0] === first && rest.every((word) => words.includes(word))
}

/** The first place of a part that no other has: best one that is not inside another part, and does not begin inside a word. */
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
