import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { FLOATING } from './floating.ts'

/** A floating box beside the button that opens it. */
export function Popover({
  trigger,
  children,
  open,
  onOpenChange,
  side = 'bottom',
  align = 'start',
  className = '',
  label,
}: {
  /** A button. */
  readonly trigger: ReactNode
  readonly children: ReactNode
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
  readonly className?: string
  /** Its label for screen readers. */
  readonly label: string
}): ReactNode {
  return (
    <Radix.Root {...(open !== undefined && { open })} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={`${FLOATING} max-h-(--radix-popover-content-available-height) ${className}`}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
