import type { ReactNode } from 'react'

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
