import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { isComposing } from '../../ui/is-composing.ts'
import { unseenIn } from '../../ui/unseen.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { NumberField, TextField } from './field.ts'
import { type ControlProps, useFault, useForm } from './form-context.ts'
import { pointerOf } from './values.ts'
import { GROWING_INPUT } from '../looks.ts'

const MAX_SHOWN = 2000

/** A text field with one or more lines. */
export function TextControl(props: ControlProps<TextField>): ReactNode {
  const { field, path, value, onChange, isRequired, id, name, describedBy } = props
  const { t } = useWords()
  const { touch } = useForm()
  const fault = useFault(path)
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  const isLong = isLongText(name) || text.includes('\n')
  const onKeyDown = (event: KeyboardEvent): void => {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey
    // A line break in a path or a pattern is a mistake; Shift+Enter inserts one on purpose.
    if (event.key === 'Enter' && isPlain && !isLong && !isComposing(event.nativeEvent))
      event.preventDefault()
  }
  const hasUnseen = !unseenIn(text).next().done
  return (
    <>
      <textarea
        id={id}
        className={`${GROWING_INPUT} ${fault ? 'input-invalid' : ''}`}
        rows={1}
        value={text}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        placeholder={field.defaultText ?? ''}
        aria-invalid={fault !== undefined}
        aria-required={isRequired}
        aria-describedby={describedBy}
        onKeyDown={onKeyDown}
        onBlur={() => touch(pointerOf(path))}
        onChange={({ target }) =>
          // An empty optional argument is omitted.
          onChange(target.value === '' && !isRequired ? undefined : target.value)
        }
      />
      {hasUnseen && (
        <p className="mt-[3px] font-mono text-12 wrap-anywhere whitespace-pre-wrap">
          <span className="text-ink-2">{t('sandbox.field.unseen')}</span>{' '}
          <VisibleText text={text.slice(0, MAX_SHOWN)} />
        </p>
      )}
    </>
  )
}

/** A number field. Other text is kept as typed and is a fault. */
export function NumberControl(props: ControlProps<NumberField>): ReactNode {
  const { field, path, value, onChange, isRequired, id, describedBy } = props
  const { touch } = useForm()
  const fault = useFault(path)
  /** The typed text, since a number has several notations, such as 1.50. */
  const [typed, setTyped] = useState<string>()
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return (
    <input
      id={id}
      className={`input ${fault ? 'input-invalid' : ''}`}
      inputMode={field.isInteger ? 'numeric' : 'decimal'}
      value={typed !== undefined && numberOf(typed) === value ? typed : text}
      autoComplete="off"
      placeholder={field.defaultText ?? ''}
      aria-invalid={fault !== undefined}
      aria-required={isRequired}
      aria-describedby={describedBy}
      onBlur={() => touch(pointerOf(path))}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(numberOf(target.value))
      }}
    />
  )
}

/** The text as a number, if it is one; otherwise the text. */
function numberOf(text: string): string | number | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const value = Number(trimmed)
  return Number.isFinite(value) && /^[-+\d.e]+$/i.test(trimmed) ? value : trimmed
}

/** Names of arguments that are often longer than a line. */
const LONG =
  /command|content|text|string|code|script|prompt|body|message|patch|source|sql|edit|description/i

/** True if values with this name are often longer than a line. */
export function isLongText(name: string): boolean {
  return LONG.test(name)
}
