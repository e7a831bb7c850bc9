import type { ReactNode } from 'react'
import { spellUnseen } from '../../ui/unseen.ts'
import { useWords } from '../../words/words.ts'
import type { Place, Excerpt } from '../worker/item.ts'
import { VisibleText } from '../../ui/visible-text.tsx'

/** A place in the reply, with a caret where parsing stopped, and the reason. */
export function PlaceText({
  place: { before, here, after, line },
  children,
}: {
  readonly place: Place
  readonly children: ReactNode
}): ReactNode {
  const { t, number } = useWords()
  return (
    <div className="grid rounded-sm bg-no-bg px-2 py-1.5 font-code text-[11.5px] leading-[1.55] wrap-anywhere">
      <span className="text-ink-2 [font:400_11px/18px_var(--font-sans)]">
        {t('parser.line', { line: number(line) })}
      </span>
      <code className="whitespace-pre-wrap">
        {spellUnseen(before)}
        <span className="inline-grid justify-items-center align-top leading-[inherit] text-no">
          <mark className="rounded-[2px] bg-no px-px text-bg">
            {here === '' ? t('parser.end') : here === '\n' ? '⏎' : spellUnseen(here)}
          </mark>
          <span className="leading-none" aria-hidden="true">
            ^
          </span>
        </span>
        {spellUnseen(after)}
      </code>
      <span className="text-no">{children}</span>
    </div>
  )
}

/** The beginning of a text, with invisible characters as boxes. */
export function Shortened({ text, left }: Excerpt): ReactNode {
  return (
    <>
      <VisibleText text={text} />
      {left > 0 && '…'}
    </>
  )
}
