import { Command } from 'cmdk'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { bestMatch } from './match-score.ts'
import { VisibleText } from './visible-text.tsx'

/** An option of a picker. */
export interface PickerOption<Value extends string = string> {
  readonly value: Value
  readonly label: ReactNode
  /** The searched texts, besides the value. */
  readonly keywords?: readonly string[]
  readonly about?: ReactNode
  readonly group?: string
}

/** A list with search. */
export default function PickerList({
  label,
  options,
  value,
  onChange,
  footer,
  onOther,
  otherLabel,
}: {
  readonly label: string
  readonly options: readonly PickerOption[]
  readonly value: string | undefined
  readonly onChange: (value: string) => void
  readonly footer?: ReactNode
  readonly onOther?: (typed: string) => void
  readonly otherLabel?: (typed: string) => string
}): ReactNode {
  const { t } = useWords()
  const [typed, setTyped] = useState('')
  const groups = [...new Set(options.map(({ group = '' }) => group))]
  return (
    <Command
      label={label}
      loop
      filter={(each, search, keywords = []) => bestMatch([each, ...keywords], search)}
    >
      <Command.Input value={typed} onValueChange={setTyped} placeholder={label} autoFocus />
      <Command.List>
        {!onOther && <Command.Empty>{t('shell.nothingFound')}</Command.Empty>}
        {groups.map((group) => (
          <Command.Group key={group} heading={group || undefined}>
            {options
              .filter((option) => (option.group ?? '') === group)
              .map(({ value: each, label: text, keywords, about }) => (
                <Command.Item
                  key={each}
                  value={each}
                  keywords={[...(keywords ?? [])]}
                  onSelect={() => onChange(each)}
                >
                  <span className="min-w-0 flex-1">
                    <span className="block min-w-0 truncate">{text}</span>
                    {about !== undefined && <small className="block">{about}</small>}
                  </span>
                  {each === value && <Icon name="check" />}
                </Command.Item>
              ))}
          </Command.Group>
        ))}
        {onOther && typed.trim() !== '' && (
          <Command.Item forceMount value={`use ${typed}`} onSelect={() => onOther(typed.trim())}>
            <span className="min-w-0 truncate">
              <VisibleText text={otherLabel?.(typed.trim()) ?? typed.trim()} />
            </span>
          </Command.Item>
        )}
      </Command.List>
      {footer}
    </Command>
  )
}
