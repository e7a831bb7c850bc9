import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** A button that shows only an icon. Its label is also its tooltip, unless `title` is given. */
export function IconButton({
  icon,
  label,
  title = label,
  large = false,
  className = '',
  ...others
}: {
  readonly icon: IconName
  readonly label: string
  readonly large?: boolean
} & ComponentProps<'button'>): ReactNode {
  return (
    <button
      type="button"
      className={`icon-button ${large ? '' : 'icon-button-small'} ${className}`}
      title={title}
      aria-label={label}
      {...others}
    >
      <Icon name={icon} />
    </button>
  )
}
