import type { ComponentProps, ReactNode } from 'react'

/** A circle that turns while something is loading. */
export function Spinner({ className = '', ...others }: ComponentProps<'span'>): ReactNode {
  return <span className={`spinner ${className}`} {...others} />
}
