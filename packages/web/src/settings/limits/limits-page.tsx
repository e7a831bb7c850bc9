import { useState, type ReactNode, useId } from 'react'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { errorText } from '../../app/use-api.ts'
import { Loaded } from '../../app/loaded.tsx'
import { PageFrame } from '../page-frame.tsx'
import { ownValue, type Settings, isOwn, type Setting, PlaceText } from '../place-text.tsx'
import { useChangeSettings, useSettings } from '../use-settings.ts'
import {
  draftOf,
  LIMIT_GROUPS,
  type LimitsDraft,
  readLimits,
  type LimitFault,
  type LimitField,
  type LimitName,
  typed,
} from './limit-fields.ts'
import { Button } from '../../ui/button.tsx'

/** The limits of a run. */
export default function LimitsPage(): ReactNode {
  const { t } = useWords()
  const settings = useSettings()
  return (
    <PageFrame title={t('settings.page.limits')} about={t('settings.limits.about')}>
      <Loaded query={settings}>{(loaded) => <LimitsForm settings={loaded} />}</Loaded>
    </PageFrame>
  )
}

function LimitsForm({ settings }: { readonly settings: Settings }): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const change = useChangeSettings()
  const own = ownValue(settings, 'limits')
  // Limits typed but not saved. If undefined, the fields show the settings.
  const [edited, setEdited] = useState<LimitsDraft>()
  const draft = edited ?? draftOf(own)
  const { faults } = readLimits(draft, own)
  const isWrong = Object.keys(faults).length > 0
  const save = (): void => {
    if (isWrong) return
    change.mutate(
      {
        key: 'limits',
        value(now) {
          const { limits } = readLimits(draft, ownValue(now, 'limits'))
          return Object.keys(limits).length > 0 ? limits : null
        },
      },
      {
        onSuccess() {
          setEdited(undefined)
          toast({ title: t('settings.saved'), text: t('settings.limits.next') })
        },
      },
    )
  }
  return (
    <form
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {LIMIT_GROUPS.map(({ id, fields }) => (
        <fieldset key={id} className="m-0 grid min-w-0 border-0 p-0">
          <legend className="px-0 pb-1.5 font-580">{t(`settings.limits.group.${id}`)}</legend>
          {fields.map((field) => (
            <LimitInput
              key={field.name}
              field={field}
              settings={settings}
              value={draft[field.name] ?? ''}
              fault={faults[field.name]}
              onChange={(value) => {
                setEdited({ ...draft, [field.name]: value })
                change.reset()
              }}
            />
          ))}
        </fieldset>
      ))}
      {change.error && (
        <p className="fault" role="alert">
          {errorText(change.error)}
        </p>
      )}
      <div className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-line bg-bg py-2.5">
        <Button
          type="submit"
          look="primary"
          disabled={edited === undefined || isWrong || change.isPending}
        >
          {t('settings.save')}
        </Button>
        {edited !== undefined && (
          <Button look="ghost" onClick={() => setEdited(undefined)}>
            {t('settings.discard')}
          </Button>
        )}
        <span className="text-ink-2">{t('settings.limits.empty')}</span>
      </div>
    </form>
  )
}

/** A limit: its number, its unit, and the origin of the effective value. */
function LimitInput({
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
    <div className="grid grid-cols-[minmax(0,1fr)_300px_minmax(0,150px)] items-center gap-x-3.5 gap-y-0.5 border-t border-line py-1.5 @max-[561px]:grid-cols-1">
      <label htmlFor={id}>{t(`settings.limits.${name}`)}</label>
      <span className="grid grid-cols-[120px_minmax(0,1fr)] items-center gap-2">
        <input
          id={id}
          className={`input text-right tabular-nums ${fault ? 'input-invalid' : ''}`}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          placeholder={shown === undefined ? t('settings.limits.unlimited') : typed(name, shown)}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-help`}
          onChange={(event) => onChange(event.target.value)}
        />
        <span className="text-ink-2">{t(`settings.limits.unit.${unit}`)}</span>
      </span>
      <p id={`${id}-help`} className={`m-0 ${fault ? 'fault' : 'help'}`}>
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

/** The setting that defines the effective limit; undefined for the default. */
function sourceOf({ values }: Settings, name: LimitName): Setting | undefined {
  return values.find(
    (each) => each.key === 'limits' && each.counts && limitIn(each, name) !== undefined,
  )
}

function limitIn({ value }: Setting, name: LimitName): number | undefined {
  const limit = (value as Readonly<Record<string, unknown>> | null)?.[name]
  return typeof limit === 'number' ? limit : undefined
}
