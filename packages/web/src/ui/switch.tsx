import { Switch as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** An on/off switch that takes effect at once. */
export function Switch({
  checked,
  onChange,
  label,
  disabled = false,
  className = '',
}: {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly label: string
  readonly disabled?: boolean
  readonly className?: string
}): ReactNode {
  return (
    <Radix.Root
      className={`relative h-4 w-7 flex-none rounded-lg bg-line-2 transition-[background] after:absolute after:top-0.5 after:left-0.5 after:size-3 after:rounded-[50%] after:bg-panel after:transition-[translate] after:content-[''] disabled:cursor-default disabled:opacity-50 aria-checked:bg-ink-2 aria-checked:after:translate-x-3 ${className}`}
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      aria-label={label}
    />
  )
}
