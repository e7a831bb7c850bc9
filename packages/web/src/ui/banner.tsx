import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** An important notice at the top of a view. */
export function Banner({
  kind = 'ask',
  icon,
  children,
  action,
  className = '',
}: {
  readonly kind?: 'ask' | 'no'
  readonly icon: IconName
  readonly children: ReactNode
  readonly action?: ReactNode
  readonly className?: string
}): ReactNode {
  return (
    <div
      className={`banner ${kind === 'no' ? 'border-no-line bg-no-bg text-no' : ''} ${className}`}
      role="status"
    >
      <Icon name={icon} />
      <span className="min-w-0 flex-1">{children}</span>
      {action}
    </div>
  )
}
