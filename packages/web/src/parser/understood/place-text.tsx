import type { ReactNode } from 'react'
import { spellUnseen } from '../../ui/unseen.ts'
import { useWords } from '../../words/words.ts'
import type { Place, Excerpt } from '../worker/item.ts'
import { VisibleText } from '../../ui/visible-text.tsx'

/** A place in the reply, with a caret below where reading stopped, and why. */
export function PlaceText({
  place: { before, here, after, line },
  children,
}: {
  readonly place: Place
  readonly children: ReactNode
}): ReactNode {
  const { t, number } = useWords()
  return (
    <div className="expect">
      <span className="text-ink-3">{t('parser.line', { line: number(line) })}</span>
      <code>
        {spellUnseen(before)}
        <span className="spot">
          <mark>{here === '' ? t('parser.end') : here === '\n' ? '⏎' : spellUnseen(here)}</mark>
          <span aria-hidden="true">^</span>
        </span>
        {spellUnseen(after)}
      </code>
      <span className="why">{children}</span>
    </div>
  )
}

/** The beginning of a text, with boxes for what nobody sees. */
export function Shortened({ text, left }: Excerpt): ReactNode {
  return (
    <>
      <VisibleText text={text} />
      {left > 0 && '…'}
    </>
  )
}
