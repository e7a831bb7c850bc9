import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'

/** The button of a picker: what is chosen, in few words. */
export function PickerButton({
  icon,
  label,
  children,
  isChanged,
  isSecond = false,
  title,
  ...rest
}: ComponentProps<'button'> & {
  readonly icon: IconName
  /** What it is for, for screen readers. */
  readonly label: string
  /** Whether it differs from what the run has. */
  readonly isChanged: boolean
  /** Where there is little room, its icon is enough. */
  readonly isSecond?: boolean
}): ReactNode {
  const { t } = useWords()
  return (
    <button
      type="button"
      {...rest}
      title={isChanged ? `${title}\n${t('compose.applies')}` : title}
      className={`pick quiet ${isChanged ? 'changed' : ''} ${isSecond ? 'second' : ''}`}
    >
      <Icon name={icon} />
      <span className="sr">{label}: </span>
      <span className="cut">{children}</span>
      <Icon name="down" />
    </button>
  )
}
