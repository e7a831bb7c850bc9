import type { ComponentProps, ReactNode } from 'react'

/** A spinning circle that indicates loading. */
export function Spinner({ className = '', ...others }: ComponentProps<'span'>): ReactNode {
  return <span className={`spinner ${className}`} {...others} />
}
