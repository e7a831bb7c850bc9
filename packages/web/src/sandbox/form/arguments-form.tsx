import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import type { Arguments } from '../arguments/use-arguments.ts'
import { Control } from './control.tsx'
import type { Faults } from './faults.ts'
import type { ObjectField } from './field.ts'
import { FieldView } from './field-view.tsx'
import { FormContext } from './form-context.ts'
import { ObjectControl } from './object-control.tsx'

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
