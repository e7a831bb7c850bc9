import type { ReactNode } from 'react'
import { Segments } from '../../ui/segments.tsx'
import { useWords } from '../../words/words.ts'
import { type FixedField, valueText } from './field.ts'
import { type ControlProps, useFault } from './form-context.ts'
import { isSame } from './values.ts'

/** True if the labels fit beside each other. */
export function fitsInLine(labels: readonly string[]): boolean {
  return labels.length <= 6 && labels.join('').length + labels.length * 3 <= 52
}

/** A choice of fixed values. */
export function FixedControl(props: ControlProps<FixedField>): ReactNode {
  const { field, path, value, onChange, id, name, describedBy } = props
  const at = field.values.findIndex((each) => isSame(each, value))
  const fault = useFault(path)
  return (
    <OneOf
      {...{ id, name, describedBy }}
      labels={field.values.map(valueText)}
      at={at < 0 ? undefined : at}
      isBad={fault !== undefined}
      onPick={(next) => onChange(field.values[next])}
    />
  )
}

/** A choice, in a line if there is room, otherwise in a list. */
export function OneOf({
  id,
  name,
  labels,
  at,
  isBad = false,
  describedBy,
  onPick,
}: {
  readonly id: string
  readonly name: string
  readonly labels: readonly string[]
  readonly at: number | undefined
  readonly isBad?: boolean
  readonly describedBy?: string | undefined
  readonly onPick: (at: number) => void
}): ReactNode {
  const { t } = useWords()
  if (fitsInLine(labels)) {
    return (
      <Segments
        className="max-w-full flex-wrap"
        label={name}
        value={at === undefined ? '' : String(at)}
        onChange={(next) => onPick(Number(next))}
        options={labels.map((label, index) => ({ value: String(index), label }))}
      />
    )
  }
  return (
    <select
      id={id}
      className={`input ${isBad ? 'input-invalid' : ''}`}
      aria-label={name}
      aria-describedby={describedBy}
      value={at ?? ''}
      onChange={({ target }) => target.value !== '' && onPick(Number(target.value))}
    >
      {at === undefined && <option value="">{t('sandbox.field.choose')}</option>}
      {labels.map((label, index) => (
        <option key={index} value={index}>
          {label}
        </option>
      ))}
    </select>
  )
}
