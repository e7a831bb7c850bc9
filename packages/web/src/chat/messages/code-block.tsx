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
  /** Whether it is still being written. */
  readonly isOpen?: boolean
}): ReactNode {
  const { t } = useWords()
  return (
    <div className="codeblock">
      <div className="codehead">
        <span className="cut">{language.slice(0, 40)}</span>
        <CopyButton text={text} />
      </div>
      {isOpen ? (
        <LiveText text={text} label={t('chat.code')} className="code" />
      ) : (
        <LongText text={text} label={t('chat.code')} />
      )}
    </div>
  )
}

/** The end is what is being written; there may be megabytes before it. */
const MAX_SHOWN = 8000

/** The end of a text that is being written. */
export function LiveText({
  text,
  label,
  className = 'code live',
}: {
  readonly text: string
  readonly label: string
  readonly className?: string
}): ReactNode {
  const isCut = text.length > MAX_SHOWN
  // Not from the middle of a character.
  const shown = isCut ? text.slice(-MAX_SHOWN).replace(/^[\uDC00-\uDFFF]/, '') : text
  return (
    <pre className={className} tabIndex={0} role="region" aria-label={label}>
      <span>
        {isCut && '…'}
        {shown}
        <span className="caret" />
      </span>
    </pre>
  )
}
