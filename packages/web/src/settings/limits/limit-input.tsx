import { useId } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { PlaceText } from '../place-text.tsx'
import { isOwn, type Setting, type Settings } from '../place.ts'
import { type LimitFault, type LimitField, type LimitName, typed } from './limit-fields.ts'

/** A limit: its number, its unit in words, and where the one in effect comes from. */
export function LimitInput({
  field: { name, unit },
  settings,
  value,
  fault,
  onChange,
}: {
  readonly field: LimitField
  readonly settings: Settings
  readonly value: string
  readonly fault: LimitFault | undefined
  readonly onChange: (value: string) => void
}): ReactNode {
  const { t, number } = useWords()
  const id = useId()
  const source = sourceOf(settings, name)
  const standard = settings.limits.defaults[name]
  const inherited = source && !isOwn(source, settings) ? limitIn(source, name) : undefined
  const shown = inherited ?? standard
  return (
    <div className="limit">
      <label htmlFor={id}>{t(`settings.limits.${name}`)}</label>
      <span className="amount">
        <input
          id={id}
          className={`inp num ${fault ? 'bad' : ''}`}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          placeholder={shown === undefined ? t('settings.limits.unlimited') : typed(name, shown)}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-help`}
          onChange={(event) => onChange(event.target.value)}
        />
        <span className="dim">{t(`settings.limits.unit.${unit}`)}</span>
      </span>
      <p id={`${id}-help`} className={fault ? 'fault' : 'help'}>
        {fault ? (
          sentenceOf(fault)
        ) : source ? (
          <PlaceText place={source} settings={settings} />
        ) : (
          t('settings.place.default')
        )}
      </p>
    </div>
  )

  function sentenceOf(given: LimitFault): string {
    if (given.kind !== 'range') return t(`settings.limits.fault.${given.kind}`)
    return t('settings.limits.fault.range', {
      least: number(given.least),
      most: number(given.most),
    })
  }
}

/** The settings that the limit in effect comes from; undefined: it is the default. */
function sourceOf({ values }: Settings, name: LimitName): Setting | undefined {
  return values.find(
    (each) => each.key === 'limits' && each.counts && limitIn(each, name) !== undefined,
  )
}

function limitIn({ value }: Setting, name: LimitName): number | undefined {
  const limit = (value as Readonly<Record<string, unknown>> | null)?.[name]
  return typeof limit === 'number' ? limit : undefined
}
