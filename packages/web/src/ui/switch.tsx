import { Switch as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** Something that is on or off, at once. */
export function Switch({
  checked,
  onChange,
  label,
  disabled = false,
}: {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly label: string
  readonly disabled?: boolean
}): ReactNode {
  return (
    <Radix.Root
      className="switch"
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      aria-label={label}
    />
  )
}
