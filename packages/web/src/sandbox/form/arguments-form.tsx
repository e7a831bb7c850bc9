import { useMemo, useState, type ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import type { Arguments } from '../arguments/use-arguments.ts'
import type { Faults } from './faults.ts'
import type { ObjectField, Field } from './field.ts'
import { FieldView } from './field-view.tsx'
import { FormContext, type ControlProps } from './form-context.ts'
import { ObjectControl } from './object-control.tsx'
import { ChoiceControl } from './choice-control.tsx'
import { FixedControl } from './fixed-control.tsx'
import { JsonControl } from './json-control.tsx'
import { ListControl } from './list-control.tsx'
import { NumberControl, TextControl } from './text-control.tsx'

/** The arguments of a tool as a form. */
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
      <form
        className="arguments"
        aria-label={t('sandbox.arguments')}
        onSubmit={(event) => event.preventDefault()}
      >
        {isEmpty && <p className="dim">{t('sandbox.noParameters')}</p>}
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

/** What changes a value, whatever kind it is. */
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
      // Something else is there: it can be seen, and changed.
      return <FixedControl field={{ kind: 'fixed', values: [true, false] }} {...props} />
  }
}
