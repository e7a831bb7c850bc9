import type { ComponentProps, ReactNode } from 'react'

/** A button with text. */
export function Button({
  look,
  small = false,
  className = '',
  ...others
}: {
  /** Default: framed. */
  readonly look?: 'primary' | 'ghost' | undefined
  readonly small?: boolean
} & ComponentProps<'button'>): ReactNode {
  const classes = `button ${look === undefined ? '' : LOOKS[look]} ${small ? 'button-small' : ''}`
  return <button type="button" className={`${classes} ${className}`} {...others} />
}

const LOOKS = { primary: 'button-primary', ghost: 'button-ghost' } as const
