import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { likeliest } from './faults.ts'
import type { ChoiceField } from './field.ts'
import { OneOf } from './fixed-control.tsx'
import { type ControlProps, useForm } from './form-context.ts'
import { choiceText } from './kind-text.ts'
import { startOf } from './start-of.ts'

/** One of several kinds of values: which one, and then the value. */
export function ChoiceControl({ field, ...props }: ControlProps<ChoiceField>): ReactNode {
  const { t } = useWords()
  const { Control } = useForm()
  const { value, onChange, id, name } = props
  const { choices } = field
  const [picked, setPicked] = useState<number>()
  /** What was written for each choice. */
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
    <div className="choice">
      <OneOf
        id={`${id}-choice`}
        name={t('sandbox.field.kind', { name })}
        labels={choices.map((each) => choiceText(each, t))}
        at={at}
        onPick={pick}
      />
      {chosen && !isPlain && <Control {...props} field={chosen} key={at} isRequired />}
      {/* Something that fits none of them: it can still be seen, and changed. */}
      {value !== undefined && !chosen && <Control {...props} field={{ kind: 'any' }} />}
    </div>
  )
}
