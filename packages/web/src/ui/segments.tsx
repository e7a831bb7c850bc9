import { ToggleGroup } from 'radix-ui'
import type { ReactNode } from 'react'

/** A choice among a few visible options. */
export function Segments<Value extends string>({
  value,
  onChange,
  options,
  label,
  className = '',
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
  readonly className?: string
}): ReactNode {
  return (
    <ToggleGroup.Root
      type="single"
      className={`segments ${className}`}
      value={value}
      // One option is always selected: pressing it again changes nothing.
      onValueChange={(next) => next && onChange(next as Value)}
      aria-label={label}
    >
      {options.map(({ value: each, label: text, title, disabled }) => (
        <ToggleGroup.Item
          key={each}
          className="inline-flex h-6 items-center gap-[5px] rounded-sm px-2 text-12 font-510 whitespace-nowrap text-ink-2 focus-visible:shadow-focus disabled:cursor-default disabled:opacity-50 data-[state=on]:bg-panel data-[state=on]:text-ink data-[state=on]:shadow-[0_0_0_1px_var(--line),0_1px_2px_rgb(0_0_0/0.06)] phone:h-7"
          {...{ value: each, title, disabled }}
        >
          {text}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
