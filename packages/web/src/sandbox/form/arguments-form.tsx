import { useMemo, useState, type ReactNode, useRef } from 'react'
import { useWords } from '../../words/words.ts'
import type { Arguments } from '../arguments/use-arguments.ts'
import { type Faults, likeliest } from './faults.ts'
import {
  type ObjectField,
  type Field,
  type ChoiceField,
  type AnyField,
  choiceText,
} from './field.ts'
import { FieldView } from './field-view.tsx'
import { FormContext, type ControlProps, useForm } from './form-context.ts'
import { ObjectControl } from './object-control.tsx'
import { FixedControl, OneOf } from './fixed-control.tsx'
import { ListControl } from './list-control.tsx'
import { NumberControl, TextControl } from './text-control.tsx'
import { startOf, isSame, pointerOf } from './values.ts'
import { readValue, JsonProblemText } from '../arguments/json-problem.tsx'
import { GROWING_INPUT } from '../looks.ts'

/** A form for the arguments of a tool. */
export default function ArgumentsForm({
  field,
  faults,
  args: { draft, setValue, setPiece, dropPieces },
}: {
  readonly field: ObjectField
  readonly faults: Faults
  readonly args: Arguments
}): ReactNode {
  const { t } = useWords()
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const { pieces, value } = draft
  const state = useMemo(
    () => ({
      faults,
      touched,
      touch: (place: string) =>
        setTouched((last) => (last.has(place) ? last : new Set([...last, place]))),
      pieces,
      setPiece,
      dropPieces,
      Control,
      FieldView,
    }),
    [faults, touched, pieces, setPiece, dropPieces],
  )
  const isEmpty = field.properties.length === 0 && field.others === undefined
  return (
    <FormContext value={state}>
      <form aria-label={t('sandbox.arguments')} onSubmit={(event) => event.preventDefault()}>
        {isEmpty && <p className="text-ink-2">{t('sandbox.noParameters')}</p>}
        <ObjectControl
          field={field}
          path={[]}
          value={value}
          id="arguments"
          name={t('sandbox.arguments')}
          isRequired
          describedBy={undefined}
          onChange={(next) => setValue((next ?? {}) as Readonly<Record<string, unknown>>)}
        />
      </form>
    </FormContext>
  )
}

/** The control for a value of any type. */
function Control({ field, ...props }: ControlProps<Field>): ReactNode {
  switch (field.kind) {
    case 'text':
      return <TextControl field={field} {...props} />
    case 'number':
      return <NumberControl field={field} {...props} />
    case 'fixed':
      return <FixedControl field={field} {...props} />
    case 'object':
      return <ObjectControl field={field} {...props} />
    case 'list':
      return <ListControl field={field} {...props} />
    case 'choice':
      return <ChoiceControl field={field} {...props} />
    case 'any':
      return <JsonControl field={field} {...props} />
    case 'boolean':
      // A value of another type can still be seen and changed.
      return <FixedControl field={{ kind: 'fixed', values: [true, false] }} {...props} />
  }
}

/** A choice between several types, with the control of the selected one. */
function ChoiceControl({ field, ...props }: ControlProps<ChoiceField>): ReactNode {
  const { t } = useWords()
  const { Control } = useForm()
  const { value, onChange, id, name } = props
  const { choices } = field
  const [picked, setPicked] = useState<number>()
  /** The typed value of each type. */
  const kept = useRef(new Map<number, unknown>())
  const at = value === undefined ? undefined : (picked ?? likeliest(choices, value))
  const chosen = at === undefined ? undefined : choices[at]
  const pick = (next: number): void => {
    if (at !== undefined) kept.current.set(at, value)
    setPicked(next)
    onChange(kept.current.has(next) ? kept.current.get(next) : startOf(choices[next]!))
  }
  const isPlain = chosen?.kind === 'fixed' && chosen.values.length === 1
  return (
    <div className="grid justify-items-start gap-2 *:max-w-full [&>:not(.segments)]:w-full">
      <OneOf
        id={`${id}-choice`}
        name={t('sandbox.field.kind', { name })}
        labels={choices.map((each) => choiceText(each, t))}
        at={at}
        onPick={pick}
      />
      {chosen && !isPlain && <Control {...props} field={chosen} key={at} isRequired />}
      {/* A value of none of these types can still be seen and changed. */}
      {value !== undefined && !chosen && <Control {...props} field={{ kind: 'any' }} />}
    </div>
  )
}

/** A value without a field of its own, edited as JSON. */
function JsonControl(props: ControlProps<AnyField>): ReactNode {
  const { field, path, value, onChange, isRequired, id, describedBy } = props
  const { t } = useWords()
  const { pieces, setPiece, touch } = useForm()
  const place = pointerOf(path)
  const [typed, setTyped] = useState(() => textOf(value))
  const wrong = pieces.get(place)
  // False if the value was changed elsewhere and differs from the typed text.
  const isTyped = isSame(readOrNothing(typed), { value })
  const read = wrong === undefined ? undefined : readOrNothing(wrong)
  const problem = read && 'problem' in read ? read.problem : undefined
  return (
    <>
      <textarea
        id={id}
        className={`${GROWING_INPUT} ${problem ? 'input-invalid' : ''}`}
        rows={1}
        spellCheck={false}
        autoComplete="off"
        placeholder={field.defaultText ?? t('sandbox.field.json')}
        value={wrong ?? (isTyped ? typed : textOf(value))}
        aria-invalid={problem !== undefined}
        aria-required={isRequired}
        aria-describedby={describedBy}
        onBlur={() => touch(place)}
        onChange={({ target }) => {
          const text = target.value
          setTyped(text)
          const next = readOrNothing(text)
          setPiece(place, 'problem' in next ? text : undefined)
          if ('value' in next) onChange(next.value)
        }}
      />
      {problem && (
        <p className="fault" role="alert">
          <JsonProblemText problem={problem} />
        </p>
      )}
    </>
  )
}

/** The JSON value of a text; undefined if it is empty. */
function readOrNothing(text: string): ReturnType<typeof readValue> {
  return text.trim() === '' ? { value: undefined } : readValue(text)
}

function textOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
