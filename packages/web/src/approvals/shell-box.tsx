import type { ReactNode } from 'react'
import { LongText } from '../ui/long-text.tsx'
import { ShellText } from './shell-text.tsx'

/** A shell text, a page at a time. */
export function LongShellText({
  text,
  label,
}: {
  readonly text: string
  readonly label: string
}): ReactNode {
  return (
    <LongText text={text}>
      {(shown) => (
        <ShellBox label={label}>
          <ShellText text={shown} />
        </ShellBox>
      )}
    </LongText>
  )
}

/** The box that a shell text is in. */
export function ShellBox({
  label,
  children,
}: {
  readonly label: string
  readonly children: ReactNode
}): ReactNode {
  return (
    // It may scroll, so it must be reachable by key.
    <div className="cmd" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  )
}
