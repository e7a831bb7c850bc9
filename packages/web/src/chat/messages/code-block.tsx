import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { useWords } from '../../words/words.ts'

/** Code in a reply. */
export function CodeBlock({
  text,
  language,
  isOpen = false,
}: {
  readonly text: string
  readonly language: string
  /** True if the block is still being written. */
  readonly isOpen?: boolean
}): ReactNode {
  const { t } = useWords()
  return (
    <div className="min-w-0 overflow-hidden rounded-md border border-line bg-code">
      <div className="flex min-h-[26px] items-center justify-between gap-2 pt-0.5 pr-1 pl-2.5 text-11 text-ink-3">
        <span className="min-w-0 truncate">{language.slice(0, 40)}</span>
        <CopyButton text={text} />
      </div>
      {isOpen ? (
        <LiveText text={text} label={t('chat.code')} className={CODE} />
      ) : (
        <LongText text={text} label={t('chat.code')} className={CODE} />
      )}
    </div>
  )
}

const CODE = 'code rounded-none border-0 pt-0.5 wrap-normal whitespace-pre'

/** Only the end is shown; there may be megabytes before it. */
const MAX_SHOWN = 8000

/** The end of a text that is being written. */
export function LiveText({
  text,
  label,
  // Reversed, so that the end stays in view.
  className = 'code flex max-h-[220px]! flex-col-reverse',
}: {
  readonly text: string
  readonly label: string
  readonly className?: string
}): ReactNode {
  const isCut = text.length > MAX_SHOWN
  // Does not start inside a surrogate pair.
  const shown = isCut ? text.slice(-MAX_SHOWN).replace(/^[\uDC00-\uDFFF]/, '') : text
  return (
    <pre className={className} tabIndex={0} role="region" aria-label={label}>
      <span>
        {isCut && '…'}
        {shown}
        <span className="ml-px inline-block h-[1.05em] w-[7px] animate-blink rounded-[1px] bg-call align-[-0.16em]" />
      </span>
    </pre>
  )
}
