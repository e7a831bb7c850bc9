import { useState } from 'react'
import type { ReactNode } from 'react'
import { VisibleText } from './visible-text.tsx'
import { useWords } from '../words/words.ts'
import { endOfLine, endOfLines, firstOfLine } from './diff-page.ts'
import type { Diff, DiffLine } from './unified-diff.ts'

const SIGNS = { add: '+', del: '−', same: '', gap: '', note: '' } as const

/** The changes that a call would make in a file: old and new line numbers, and the differences within lines. */
export function DiffView({
  diff,
  label,
}: {
  readonly diff: Pick<Diff, 'lines'>
  /** Default: that it would change this. */
  readonly label?: string
}): ReactNode {
  const { t } = useWords()
  const [shown, setShown] = useState(() => endOfLines(diff.lines, 0))
  const left = diff.lines.length - shown
  const isNumbered = diff.lines.some((line) => line.old !== undefined || line.new !== undefined)
  return (
    <>
      <div
        className={isNumbered ? 'diff' : 'diff bare'}
        role="group"
        aria-label={label ?? t('approvals.diff')}
      >
        {diff.lines.slice(0, shown).map((line, at) => (
          <DiffRow key={at} line={line} />
        ))}
      </div>
      {left > 0 && (
        <button
          type="button"
          className="btn sm justify-self-start"
          onClick={() => setShown(endOfLines(diff.lines, shown))}
        >
          {t('approvals.more.lines', { count: endOfLines(diff.lines, shown) - shown })}
        </button>
      )}
    </>
  )
}

function DiffRow({ line }: { readonly line: DiffLine }): ReactNode {
  const { t } = useWords()
  if (line.type === 'gap') return <div className="gap" aria-hidden="true" />
  const { type, old, new: next } = line
  // The numbers are drawn by the style sheet: a line is two elements, not five.
  return (
    <div
      className={type === 'same' ? '' : type}
      data-old={old ?? ''}
      data-new={next ?? ''}
      data-sign={SIGNS[type]}
    >
      <span>{type === 'note' ? t('approvals.diff.noNewline') : <LineText line={line} />}</span>
    </div>
  )
}

function LineText({ line: { text, changed } }: { readonly line: DiffLine }): ReactNode {
  const { t, number } = useWords()
  const [[start, end], show] = useState(() => firstOfLine(text, changed?.[0]))
  if (start > 0 || end < text.length) {
    return (
      <>
        {start > 0 && '… '}
        <VisibleText text={text.slice(start, end)} />{' '}
        <button
          type="button"
          className="btn sm"
          onClick={() => show([0, start > 0 ? end : endOfLine(text, end)])}
        >
          {t('approvals.more.text', {
            left: number(text.length - (end - start)),
            total: number(text.length),
          })}
        </button>
      </>
    )
  }
  if (!changed || changed[0] === changed[1]) return <VisibleText text={text} />
  const [from, to] = changed
  return (
    <>
      <VisibleText text={text.slice(0, from)} />
      <mark>
        <VisibleText text={text.slice(from, to)} />
      </mark>
      <VisibleText text={text.slice(to)} />
    </>
  )
}

/** How many lines a change adds and removes. */
export function DiffCounts({
  diff: { added, removed, isNew },
}: {
  readonly diff: Diff
}): ReactNode {
  const { t, number } = useWords()
  return (
    <>
      {isNew && <span className="chip">{t('approvals.diff.new')}</span>}
      {added > 0 && (
        <span className="chip ok num">
          <span aria-hidden="true">+{number(added)}</span>
          <span className="sr">{t('approvals.diff.added', { count: added })}</span>
        </span>
      )}
      {removed > 0 && (
        <span className="chip no num">
          <span aria-hidden="true">−{number(removed)}</span>
          <span className="sr">{t('approvals.diff.removed', { count: removed })}</span>
        </span>
      )}
    </>
  )
}
