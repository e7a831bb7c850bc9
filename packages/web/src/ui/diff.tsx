import { useState } from 'react'
import type { ReactNode } from 'react'
import { VisibleText } from './visible-text.tsx'
import { useWords } from '../words/words.ts'
import { endOfLine, endOfLines, firstOfLine } from './diff-page.ts'
import type { Diff, DiffLine } from './unified-diff.ts'
import { Button } from './button.tsx'
import { Chip } from './chip.tsx'

const SIGNS = { add: '+', del: '−', same: '', gap: '', note: '' } as const

/** The changes to a file: old and new line numbers, and the differences within lines. */
export function DiffView({
  diff,
  label,
}: {
  readonly diff: Pick<Diff, 'lines'>
  /** Default: states that the call would make this change. */
  readonly label?: string
}): ReactNode {
  const { t } = useWords()
  const [shown, setShown] = useState(() => endOfLines(diff.lines, 0))
  const left = diff.lines.length - shown
  const isNumbered = diff.lines.some((line) => line.old !== undefined || line.new !== undefined)
  return (
    <>
      <div
        className="overflow-hidden rounded-md border border-line bg-code font-code text-12 leading-[1.65]"
        role="group"
        aria-label={label ?? t('approvals.diff')}
      >
        {diff.lines.slice(0, shown).map((line, at) => (
          <DiffRow key={at} line={line} isNumbered={isNumbered} />
        ))}
      </div>
      {left > 0 && (
        <Button
          small
          className="justify-self-start"
          onClick={() => setShown(endOfLines(diff.lines, shown))}
        >
          {t('approvals.more.lines', { count: endOfLines(diff.lines, shown) - shown })}
        </Button>
      )}
    </>
  )
}

const ROW =
  'grid before:px-1 before:text-right before:whitespace-pre before:text-ink-3 after:pr-2 after:pl-1 after:text-right after:whitespace-pre phone:before:content-none'
/** Without line numbers, only the sign remains. */
const PLAIN_ROW = 'grid-cols-[26px_minmax(0,1fr)] before:content-none'
const NUMBERED_ROW =
  'grid-cols-[38px_54px_minmax(0,1fr)] before:content-[attr(data-old)] phone:grid-cols-[54px_minmax(0,1fr)]'
const SIGNED = "after:content-[attr(data-new)_'_'_attr(data-sign)]"
const UNSIGNED = "after:content-[attr(data-new)_'__'] after:text-ink-3"
const LOOKS = {
  add: `${SIGNED} bg-ok-bg after:text-ok`,
  del: `${SIGNED} bg-no-bg after:text-no`,
  same: UNSIGNED,
  note: UNSIGNED,
} as const

function DiffRow({
  line,
  isNumbered,
}: {
  readonly line: DiffLine
  readonly isNumbered: boolean
}): ReactNode {
  const { t } = useWords()
  if (line.type === 'gap')
    return (
      <div className="h-[9px] border-y border-dashed border-line-2 bg-sunk" aria-hidden="true" />
    )
  const { type, old, new: next } = line
  // The style sheet draws the line numbers, so a line has two elements instead of five.
  return (
    <div
      className={`${ROW} ${isNumbered ? NUMBERED_ROW : PLAIN_ROW} ${LOOKS[type]}`}
      data-old={old ?? ''}
      data-new={next ?? ''}
      data-sign={SIGNS[type]}
    >
      <span
        className={`order-1 pr-1 wrap-anywhere whitespace-pre-wrap ${type === 'note' ? 'font-sans text-ink-3' : ''}`}
      >
        {type === 'note' ? t('approvals.diff.noNewline') : <LineText line={line} />}
      </span>
    </div>
  )
}

function LineText({ line: { type, text, changed } }: { readonly line: DiffLine }): ReactNode {
  const { t, number } = useWords()
  const [[start, end], show] = useState(() => firstOfLine(text, changed?.[0]))
  if (start > 0 || end < text.length) {
    return (
      <>
        {start > 0 && '… '}
        <VisibleText text={text.slice(start, end)} />{' '}
        <Button small onClick={() => show([0, start > 0 ? end : endOfLine(text, end)])}>
          {t('approvals.more.text', {
            left: number(text.length - (end - start)),
            total: number(text.length),
          })}
        </Button>
      </>
    )
  }
  if (!changed || changed[0] === changed[1]) return <VisibleText text={text} />
  const [from, to] = changed
  return (
    <>
      <VisibleText text={text.slice(0, from)} />
      <mark
        className={`rounded-[2px] text-inherit ${type === 'add' ? 'bg-[color-mix(in_srgb,var(--solid-ok)_32%,transparent)]' : 'bg-[color-mix(in_srgb,var(--solid-no)_28%,transparent)]'}`}
      >
        <VisibleText text={text.slice(from, to)} />
      </mark>
      <VisibleText text={text.slice(to)} />
    </>
  )
}

/** The number of added and removed lines. */
export function DiffCounts({
  diff: { added, removed, isNew },
}: {
  readonly diff: Diff
}): ReactNode {
  const { t, number } = useWords()
  return (
    <>
      {isNew && <Chip>{t('approvals.diff.new')}</Chip>}
      {added > 0 && (
        <Chip tone="ok" className="tabular-nums">
          <span aria-hidden="true">+{number(added)}</span>
          <span className="sr-only">{t('approvals.diff.added', { count: added })}</span>
        </Chip>
      )}
      {removed > 0 && (
        <Chip tone="no" className="tabular-nums">
          <span aria-hidden="true">−{number(removed)}</span>
          <span className="sr-only">{t('approvals.diff.removed', { count: removed })}</span>
        </Chip>
      )}
    </>
  )
}
