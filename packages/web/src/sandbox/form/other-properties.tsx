import { type ReactNode, useId, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { faultText } from './faults.ts'
import type { Field, Property } from './field.ts'
import { useFault, useForm } from './form-context.ts'
import { type Path, startOf, renamed, withProperty } from './values.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Button } from '../../ui/button.tsx'

type Values = Readonly<Record<string, unknown>>

const MAX_SHOWN = 30
const ANY: Field = { kind: 'any' }

/** Properties that the schema does not list, with editable names. */
export function OtherProperties({
  path,
  value,
  onChange,
  known,
  others,
  canAdd,
}: {
  readonly path: Path
  readonly value: Values
  readonly onChange: (value: Values) => void
  readonly known: readonly Property[]
  /** Their field; undefined if none are allowed. */
  readonly others: Field | undefined
  readonly canAdd: boolean
}): ReactNode {
  const { t } = useWords()
  const names = new Set(known.map(({ name }) => name))
  const extra = Object.keys(value).filter((name) => !names.has(name))
  const add = (): void => {
    let at = extra.length + 1
    while (Object.hasOwn(value, `name${at}`) || names.has(`name${at}`)) at++
    onChange(withProperty(value, `name${at}`, startOf(others ?? ANY)))
  }
  return (
    <>
      {extra.slice(0, MAX_SHOWN).map((name, at) => (
        <OtherProperty
          // Not the name, which may change while the user types.
          key={at}
          {...{ name, path, value, onChange }}
          field={others ?? ANY}
          isKnown={others !== undefined}
          isTaken={(next) => Object.hasOwn(value, next) || names.has(next)}
        />
      ))}
      {extra.length > MAX_SHOWN && (
        <p className="help wrap-anywhere">
          {t('sandbox.field.moreItems', { count: extra.length - MAX_SHOWN })}
        </p>
      )}
      {canAdd && (
        <Button small className="col-span-full justify-self-start" onClick={add}>
          <Icon name="plus" />
          {t('sandbox.field.addName')}
        </Button>
      )}
    </>
  )
}

function OtherProperty({
  name,
  path,
  value,
  onChange,
  field,
  isKnown,
  isTaken,
}: {
  readonly name: string
  readonly path: Path
  readonly value: Values
  readonly onChange: (value: Values) => void
  readonly field: Field
  readonly isKnown: boolean
  readonly isTaken: (name: string) => boolean
}): ReactNode {
  const { t } = useWords()
  const { Control } = useForm()
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const fault = useFault([...path, name])
  const isDouble = typed !== undefined && typed !== name && isTaken(typed)
  const rename = (): void => {
    if (typed !== undefined && typed !== name && typed !== '' && !isDouble)
      onChange(renamed(value, name, typed))
    setTyped(undefined)
  }
  return (
    <div className="col-span-full min-w-0" role="group" aria-label={name}>
      <div className="grid grid-cols-[minmax(80px,1fr)_minmax(0,2fr)_auto] items-start gap-1.5">
        <input
          className={`input ${isDouble ? 'input-invalid' : ''}`}
          aria-label={t('sandbox.field.name')}
          value={typed ?? name}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
          onBlur={rename}
          onKeyDown={({ key }) => key === 'Enter' && rename()}
        />
        <label className="sr-only" htmlFor={id}>
          {name}
        </label>
        <div className="min-w-0">
          <Control
            field={field}
            id={id}
            name={name}
            path={[...path, name]}
            value={value[name]}
            isRequired
            describedBy={undefined}
            onChange={(next) => onChange(withProperty(value, name, next ?? null))}
          />
        </div>
        <IconButton
          icon="x"
          label={t('sandbox.field.remove', { name })}
          onClick={() => onChange(withProperty(value, name, undefined))}
        />
      </div>
      {isDouble && <p className="fault">{t('sandbox.field.taken')}</p>}
      {!isKnown && <p className="doubt">{t('sandbox.field.unknown')}</p>}
      {fault && (
        <p className="fault" role="alert">
          {faultText(fault, t)}
        </p>
      )}
    </div>
  )
}
