import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** Something to know before anything else in a view. */
export function Banner({
  kind = 'ask',
  icon,
  children,
  action,
}: {
  readonly kind?: 'ask' | 'no'
  readonly icon: IconName
  readonly children: ReactNode
  readonly action?: ReactNode
}): ReactNode {
  return (
    <div className={`banner ${kind === 'no' ? 'no' : ''}`} role="status">
      <Icon name={icon} />
      <span className="grow">{children}</span>
      {action}
    </div>
  )
}
