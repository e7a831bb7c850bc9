import type { ComponentProps, ReactNode } from 'react'
import type { RunStart } from '@toolglot/react/view'
import type { Compose } from './compose-store.ts'
import type { Selected } from './use-selected.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'

type Picked = Pick<Compose, 'choices' | 'picker'>

/** The props of every picker in the composer. */
export interface PickerProps {
  readonly compose: Picked
  readonly change: (change: Partial<Picked>) => void
  readonly selected: Selected
  /** The start event of the run, if any. */
  readonly facts: RunStart | undefined
  readonly folder: string | undefined
  readonly isDisabled: boolean
}

/** The button of a picker with a short label of the choice. */
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
  /** Its purpose, for screen readers. */
  readonly label: string
  /** True if the choice differs from the run's value. */
  readonly isChanged: boolean
  /** True if narrow windows show only its icon. */
  readonly isSecond?: boolean
}): ReactNode {
  const { t } = useWords()
  return (
    <button
      type="button"
      {...rest}
      title={isChanged ? `${title}\n${t('compose.applies')}` : title}
      className={`picker-button picker-button-quiet min-w-0 disabled:cursor-default disabled:opacity-50 ${isChanged ? 'rounded-b-none text-ink shadow-[inset_0_-1px_0_var(--ink-3)]' : ''}`}
    >
      <Icon name={icon} />
      <span className="sr-only">{label}: </span>
      <span className={`min-w-0 truncate ${isSecond ? '@max-[561px]:sr-only' : ''}`}>
        {children}
      </span>
      <Icon
        name="down"
        className={`phone:in-data-composer:hidden ${isSecond ? '@max-[561px]:sr-only' : ''}`}
      />
    </button>
  )
}
