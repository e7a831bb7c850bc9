import { type ReactNode, useState } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import type { Field, ListField } from './field.ts'
import { faultText } from './faults.ts'
import { type ControlProps, useFault, useForm } from './form-context.ts'
import { pointerOf, startOf } from './values.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Button } from '../../ui/button.tsx'

/** Further items are shown only in the JSON. */
const MAX_SHOWN = 20

/** A list whose items can be added, removed and moved. */
export function ListControl({ field, ...props }: ControlProps<ListField>): ReactNode {
  const { t } = useWords()
  const { Control, dropPieces } = useForm()
  const { path, value, onChange, id, name } = props
  // Items have no identity: when they move, their fields are rebuilt.
  const [version, setVersion] = useState(0)
  if (!Array.isArray(value)) return <Control {...props} field={{ kind: 'any' }} />
  const items = value as readonly unknown[]
  const { first, items: others } = field
  const itemAt = (at: number) => first[at] ?? others ?? { kind: 'any' as const }
  const move = (next: readonly unknown[]): void => {
    setVersion(version + 1)
    dropPieces(pointerOf(path))
    onChange(next)
  }
  const canAdd =
    (others !== undefined || items.length < first.length) &&
    items.length < (field.maxItems ?? Infinity)
  return (
    <div className="grid justify-items-start gap-2">
      {items.slice(0, MAX_SHOWN).map((item, at) => (
        <div
          key={`${version} ${at}`}
          className="grid w-full max-w-full grid-cols-[minmax(0,1fr)_auto] items-start gap-1.5"
        >
          <Item
            {...props}
            field={itemAt(at)}
            path={[...path, at]}
            value={item}
            id={`${id}-${at}`}
            name={`${name} ${at + 1}`}
            onChange={(next) => onChange(items.with(at, next ?? null))}
          />
          <div className="flex pt-[3px]">
            <Act
              icon="up"
              label={t('sandbox.field.up', { at: at + 1 })}
              disabled={at === 0}
              onClick={() => move(swapped(items, at - 1))}
            />
            <Act
              icon="down"
              label={t('sandbox.field.down', { at: at + 1 })}
              disabled={at === items.length - 1}
              onClick={() => move(swapped(items, at))}
            />
            <Act
              icon="x"
              label={t('sandbox.field.remove', { name: `${name} ${at + 1}` })}
              onClick={() => move(items.toSpliced(at, 1))}
            />
          </div>
        </div>
      ))}
      {items.length > MAX_SHOWN && (
        <p className="help wrap-anywhere">
          {t('sandbox.field.moreItems', { count: items.length - MAX_SHOWN })}
        </p>
      )}
      {canAdd && (
        <Button small onClick={() => onChange([...items, startOf(itemAt(items.length))])}>
          <Icon name="plus" />
          {t('sandbox.field.addItem')}
        </Button>
      )}
    </div>
  )
}

function Item(props: ControlProps<Field>): ReactNode {
  const { t } = useWords()
  const { Control } = useForm()
  const fault = useFault(props.path)
  return (
    <div className="min-w-0" role="group" aria-label={props.name}>
      {/* A label cannot refer to it, because its name is a number. */}
      <label className="sr-only" htmlFor={props.id}>
        {props.name}
      </label>
      <Control {...props} isRequired describedBy={undefined} />
      {fault && (
        <p className="fault" role="alert">
          {faultText(fault, t)}
        </p>
      )}
    </div>
  )
}

function Act({
  icon,
  label,
  disabled = false,
  onClick,
}: {
  readonly icon: IconName
  readonly label: string
  readonly disabled?: boolean
  readonly onClick: () => void
}): ReactNode {
  return <IconButton icon={icon} label={label} disabled={disabled} onClick={onClick} />
}

/** The list with an item and the next one swapped. */
function swapped(items: readonly unknown[], at: number): readonly unknown[] {
  return items.with(at, items[at + 1]).with(at + 1, items[at])
}
