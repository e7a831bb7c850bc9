import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { endOfPages } from './diff-page.ts'
import { VisibleText } from './visible-text.tsx'
import { Button } from './button.tsx'

/** A text with invisible characters as boxes, page by page. */
export function LongText({
  text,
  className = 'code',
  label,
  unseen,
  children,
}: {
  readonly text: string
  readonly className?: string
  readonly label?: string
  /** The characters drawn as boxes, if they differ from the default. */
  readonly unseen?: RegExp | undefined
  /** Draws the visible part. Default: with boxes. */
  readonly children?: (shown: string) => ReactNode
}): ReactNode {
  const { t, number } = useWords()
  const [pages, setPages] = useState(1)
  const end = useMemo(() => endOfPages(text, pages, unseen), [text, pages, unseen])
  const shown = text.slice(0, end)
  return (
    <>
      {children ? (
        children(shown)
      ) : (
        // Focusable, because it may scroll.
        <pre
          className={className}
          {...(label !== undefined && { tabIndex: 0, role: 'region', 'aria-label': label })}
        >
          <VisibleText text={shown} {...(unseen && { unseen })} />
        </pre>
      )}
      {end < text.length && (
        <Button small className="self-start justify-self-start" onClick={() => setPages(pages + 1)}>
          {t('approvals.more.text', {
            left: number(text.length - end),
            total: number(text.length),
          })}
        </Button>
      )}
    </>
  )
}
