import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import type { PickerOption } from './picker-list.tsx'
import { Popover } from './popover.tsx'

// Loads its own library, so it is loaded only when opened.
const PickerList = lazy(() => import('./picker-list.tsx'))

/** A choice from a searchable list. */
export function Picker<Value extends string>({
  trigger,
  label,
  options,
  value,
  onChange,
  side = 'bottom',
  align = 'start',
  open,
  onOpenChange,
  footer,
  onOther,
  otherLabel,
}: {
  readonly trigger: ReactNode
  readonly label: string
  readonly options: readonly PickerOption<Value>[]
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly footer?: ReactNode
  /** Accepts typed text that is not in the list. */
  readonly onOther?: (typed: string) => void
  /** The label of the option for typed text. */
  readonly otherLabel?: (typed: string) => string
}): ReactNode {
  const [isOpenHere, setOpenHere] = useState(false)
  const isOpen = open ?? isOpenHere
  const setOpen = onOpenChange ?? setOpenHere
  return (
    <Popover
      {...{ trigger, label, side, align, open: isOpen, onOpenChange: setOpen }}
      className="w-[330px]"
    >
      <Suspense fallback={<div className="skeleton m-3" />}>
        <PickerList
          {...{ label, options, value, footer }}
          onChange={(next) => {
            setOpen(false)
            onChange(next as Value)
          }}
          {...(otherLabel && { otherLabel })}
          {...(onOther && {
            onOther(typed: string) {
              setOpen(false)
              onOther(typed)
            },
          })}
        />
      </Suspense>
    </Popover>
  )
}
