import { ToggleGroup } from 'radix-ui'
import type { ReactNode } from 'react'

/** A choice of a few things, all in sight. */
export function Segments<Value extends string>({
  value,
  onChange,
  options,
  label,
}: {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: readonly {
    readonly value: Value
    readonly label: ReactNode
    readonly title?: string
    readonly disabled?: boolean
  }[]
  readonly label: string
}): ReactNode {
  return (
    <ToggleGroup.Root
      type="single"
      className="seg"
      value={value}
      // One is always chosen: pressing it again is not a choice.
      onValueChange={(next) => next && onChange(next as Value)}
      aria-label={label}
    >
      {options.map(({ value: each, label: text, title, disabled }) => (
        <ToggleGroup.Item key={each} value={each} title={title} disabled={disabled}>
          {text}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
