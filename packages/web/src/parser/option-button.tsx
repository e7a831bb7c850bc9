import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'

/** The button of an option: what it is about, and what is chosen. */
export function OptionButton({
  label,
  children,
  ...rest
}: ComponentProps<'button'> & { readonly label: string }): ReactNode {
  return (
    <button type="button" {...rest} className="pick">
      <span className="dim">{label}</span>
      <span className="cut rowline">{children}</span>
      <Icon name="down" />
    </button>
  )
}
