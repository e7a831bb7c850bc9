import { type ReactNode, useId } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { spellUnseen } from '../../ui/unseen.ts'
import { Switch } from '../../ui/switch.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { faultText } from './faults.ts'
import { type Field, kindText, valueText } from './field.ts'
import { fitsInLine } from './fixed-control.tsx'
import { type FieldProps, useFault, useForm } from './form-context.ts'
import { isLongText } from './text-control.tsx'
import { startOf } from './values.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Button } from '../../ui/button.tsx'

/** The maximum length of a name and of a description. */
const MAX_NAME = 80
const MAX_ABOUT = 500

/** A value with its name, its description and its fault. */
export function FieldView({
  field,
  name,
  path,
  value,
  isRequired,
  onChange,
}: FieldProps): ReactNode {
  const { t } = useWords()
  const { Control } = useForm()
  const id = useId()
  const fault = useFault(path)
  const hasValue = value !== undefined
  const shownName = spellUnseen(name.slice(0, MAX_NAME))
  const { description } = field
  const help = description !== undefined && description !== '' ? `${id}-help` : undefined
  const wrong = fault ? `${id}-fault` : undefined
  const describedBy = [help, wrong].filter((each) => each !== undefined).join(' ') || undefined
  const isSwitch = field.kind === 'boolean' && (value === undefined || typeof value === 'boolean')
  // Short fields share a row.
  const isHalf =
    !isRequired && (field.kind === 'number' || (field.kind === 'text' && !isLongText(name)))
  const isGroup = !isSwitch && !hasOneControl(field)
  const control = { path, value, onChange, isRequired, id, name: shownName, describedBy }
  const label = (
    <>
      <span>{shownName}</span>
      {isRequired && (
        <span className="text-no" title={t('sandbox.field.required')}>
          *
        </span>
      )}
      <em className="font-400 text-ink-3 not-italic">
        {kindText(field, t)}
        {field.defaultText !== undefined && field.kind !== 'text' && field.kind !== 'number' && (
          <>
            {' '}
            · {t('sandbox.field.default', { value: spellUnseen(field.defaultText.slice(0, 60)) })}
          </>
        )}
      </em>
    </>
  )
  return (
    <div
      className={`min-w-0 ${isSwitch || isHalf ? 'col-auto' : 'col-span-full'}`}
      {...(isGroup && { role: 'group', 'aria-labelledby': `${id}-label` })}
    >
      <div className="mb-0.5 flex min-h-6 items-center gap-2">
        {isSwitch && <Switch checked={value === true} onChange={onChange} label={shownName} />}
        {isGroup || isSwitch ? (
          <span className={LABEL} id={`${id}-label`}>
            {label}
          </span>
        ) : (
          <label className={LABEL} htmlFor={id}>
            {label}
          </label>
        )}
        {hasValue && !isRequired && (
          <IconButton
            icon="x"
            label={t('sandbox.field.clear', { name: shownName })}
            className="ml-auto size-[22px] flex-none [&_svg]:size-3"
            onClick={() => onChange(undefined)}
          />
        )}
      </div>
      {isSwitch ? null : isGroup && !hasValue && isFolded(field, isRequired) ? (
        <Button small onClick={() => onChange(startOf(field))}>
          <Icon name="plus" />
          {t('sandbox.field.add')}
        </Button>
      ) : (
        <Control field={field} {...control} />
      )}
      {help !== undefined && (
        <p className="help wrap-anywhere" id={help}>
          <VisibleText text={shortened(description!)} />
        </p>
      )}
      {fault && (
        <p className="fault" id={wrong} role="alert">
          {faultText(fault, t)}
          {fault.type === 'required' && field.kind === 'text' && (
            <button
              type="button"
              className="text-link ml-2 text-ink-2"
              onClick={() => onChange('')}
            >
              {t('sandbox.field.empty')}
            </button>
          )}
        </p>
      )}
    </div>
  )
}

const LABEL =
  'flex min-w-0 flex-wrap items-baseline gap-x-1.5 font-code text-12 font-560 wrap-anywhere'

/** True if a single element holds the value, so that a label can refer to it. */
function hasOneControl(field: Field): boolean {
  if (field.kind === 'fixed') return !fitsInLine(field.values.map(valueText))
  return field.kind === 'text' || field.kind === 'number' || field.kind === 'any'
}

/** A large optional value is folded until the user opens it. */
function isFolded({ kind }: Field, isRequired: boolean): boolean {
  return kind === 'object' ? !isRequired : kind === 'list'
}

function shortened(text: string): string {
  return text.length > MAX_ABOUT ? `${text.slice(0, MAX_ABOUT)}…` : text
}
