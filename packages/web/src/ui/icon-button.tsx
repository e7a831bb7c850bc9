import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** A button that shows only an icon. Its label is its tooltip, unless it has another title. */
export function IconButton({
  icon,
  label,
  title = label,
  className = 'icon-btn sm',
  ...others
}: {
  readonly icon: IconName
  readonly label: string
} & ComponentProps<'button'>): ReactNode {
  return (
    <button type="button" {...{ className, title }} aria-label={label} {...others}>
      <Icon name={icon} />
    </button>
  )
}
