import { useState } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { readValue } from '../arguments/json-problem.ts'
import { JsonProblemText } from '../arguments/json-problem-text.tsx'
import type { AnyField } from './field.ts'
import { type ControlProps, useForm } from './form-context.ts'
import { isSame } from './is-same.ts'
import { pointerOf } from './pointer.ts'

/** A value that no field fits: it is written as JSON. */
export function JsonControl(props: ControlProps<AnyField>): ReactNode {
  const { field, path, value, onChange, isRequired, id, describedBy } = props
  const { t } = useWords()
  const { pieces, setPiece, touch } = useForm()
  const place = pointerOf(path)
  const [typed, setTyped] = useState(() => textOf(value))
  const wrong = pieces.get(place)
  // It was changed elsewhere, unless what was typed means the same.
  const isTyped = isSame(readOrNothing(typed), { value })
  const read = wrong === undefined ? undefined : readOrNothing(wrong)
  const problem = read && 'problem' in read ? read.problem : undefined
  return (
    <>
      <textarea
        id={id}
        className={`inp tall ${problem ? 'bad' : ''}`}
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

/** What a text means as JSON. An empty one means nothing. */
function readOrNothing(text: string): ReturnType<typeof readValue> {
  return text.trim() === '' ? { value: undefined } : readValue(text)
}

function textOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
