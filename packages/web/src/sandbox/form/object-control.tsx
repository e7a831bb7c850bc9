import { type ReactNode, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import type { ObjectField, Property } from './field.ts'
import { type ControlProps, useForm } from './form-context.ts'
import { OtherProperties } from './other-properties.tsx'
import { isObject } from '../../schema/resolve-schema.ts'
import { withProperty } from './values.ts'
import { Button } from '../../ui/button.tsx'

/** The number of optional properties shown at first, and added at a time. */
const FIRST = 6
const MORE = 12

/** An object. Required properties are always visible. */
export function ObjectControl({ field, ...props }: ControlProps<ObjectField>): ReactNode {
  const { Control } = useForm()
  const { path, value, onChange } = props
  if (value !== undefined && !isObject(value)) return <Control {...props} field={{ kind: 'any' }} />
  return (
    <div
      className={`grid grid-cols-[repeat(auto-fill,minmax(min(100%,200px),1fr))] items-start gap-x-3 gap-y-3.5 ${path.length > 0 ? 'mt-1 border-l-2 border-line-2 pl-3' : ''}`}
    >
      <Properties field={field} path={path} value={value ?? {}} onChange={onChange} />
    </div>
  )
}

function Properties({
  field: { properties, left, others },
  path,
  value,
  onChange,
}: Pick<ControlProps<ObjectField>, 'field' | 'path' | 'onChange'> & {
  readonly value: Readonly<Record<string, unknown>>
}): ReactNode {
  const { t } = useWords()
  const { FieldView } = useForm()
  const [extra, setExtra] = useState(0)
  /** A visible property stays visible, even if it is cleared. */
  const [first] = useState(() => shownFirst(properties, value))
  const isShown = ({ name }: Property): boolean => first.has(name) || Object.hasOwn(value, name)
  const folded = properties.filter((each) => !isShown(each))
  const unfolded = new Set(folded.slice(0, extra).map(({ name }) => name))
  const shown = properties.filter((each) => isShown(each) || unfolded.has(each.name))
  const hidden = properties.length - shown.length
  return (
    <>
      {shown.map(({ name, field, isRequired }) => (
        <FieldView
          key={name}
          {...{ field, name, isRequired }}
          path={[...path, name]}
          value={Object.hasOwn(value, name) ? value[name] : undefined}
          onChange={(next) => onChange(withProperty(value, name, next))}
        />
      ))}
      {hidden > 0 && (
        <Button
          look="ghost"
          small
          className="col-span-full justify-self-start"
          onClick={() => setExtra(extra + MORE)}
        >
          <Icon name="plus" />
          {t('sandbox.field.more', { count: hidden })}
        </Button>
      )}
      {left > 0 && <p className="help wrap-anywhere">{t('sandbox.field.left', { count: left })}</p>}
      <OtherProperties
        {...{ path, value, onChange, others }}
        known={properties}
        // If the schema does not mention names, they are added as JSON.
        canAdd={
          left > 0 || properties.length === 0 || (others !== undefined && others.kind !== 'any')
        }
      />
    </>
  )
}

function shownFirst(
  properties: readonly Property[],
  value: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const optional = properties.filter(({ isRequired }) => !isRequired)
  // One or two more properties do not need a button.
  const count = optional.length <= FIRST + 2 ? optional.length : FIRST
  return new Set([
    ...properties
      .filter(({ name, isRequired }) => isRequired || Object.hasOwn(value, name))
      .map(({ name }) => name),
    ...optional.slice(0, count).map(({ name }) => name),
  ])
}
