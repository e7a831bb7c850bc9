import { type ReactNode, useId, useState } from 'react'
import { useWords } from '../../words/words.ts'
import { Loaded } from '../../app/loaded.tsx'
import { PageFrame, SaveOrCancel } from '../page-frame.tsx'
import { useSettings, useChangeSettings } from '../use-settings.ts'

import { useToast } from '../../ui/toasts.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { errorText } from '../../app/use-api.ts'
import { PlaceText, isOwn, type Setting, type Settings } from '../place-text.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { ItemFrame } from '../item.tsx'

/** All settings with their values and locations. */
export default function AllPage(): ReactNode {
  const { t } = useWords()
  const settings = useSettings()
  return (
    <PageFrame title={t('settings.page.all')} about={t('settings.all.about')}>
      <Loaded query={settings}>
        {(loaded) => (
          <div className="card">
            {loaded.keys.map((key) => (
              <AnySetting key={key.key} setting={key} settings={loaded} />
            ))}
          </div>
        )}
      </Loaded>
    </PageFrame>
  )
}

/** The notation of a setting's value. */
type SettingKind = 'text' | 'list' | 'json'

type Known = Settings['keys'][number]
/** Further values are counted, not drawn. */
const MAX_SHOWN = 20

/** A setting with all its values. The user's own can be changed. */
function AnySetting({
  setting,
  settings,
}: {
  readonly setting: Known
  readonly settings: Settings
}): ReactNode {
  const { t } = useWords()
  const [isEditing, setEditing] = useState(false)
  const { key, about } = setting
  const values = settings.values.filter((each) => each.key === key)
  return (
    <ItemFrame className="gap-1">
      <div className="cluster flex-nowrap">
        <code className="font-600">{key}</code>
        <span className="min-w-0 flex-1" />
        <IconButton
          icon="edit"
          label={t('settings.all.change', { key })}
          aria-expanded={isEditing}
          onClick={() => setEditing(!isEditing)}
        />
      </div>
      <p className="text-ink-2">{about}</p>
      {values.length === 0 ? (
        <p className="text-ink-3">{t('settings.all.unset')}</p>
      ) : (
        <ul className="grid gap-1">
          {values.slice(0, MAX_SHOWN).map((value, at) => (
            <Value key={at} {...{ value, settings }} />
          ))}
          {values.length > MAX_SHOWN && (
            <li className="text-ink-2">
              {t('settings.explain.more', { count: values.length - MAX_SHOWN })}
            </li>
          )}
        </ul>
      )}
      {isEditing && <SettingForm {...{ setting, settings }} onDone={() => setEditing(false)} />}
    </ItemFrame>
  )
}

function Value({
  value,
  settings,
}: {
  readonly value: Setting
  readonly settings: Settings
}): ReactNode {
  const { t } = useWords()
  const text = typeof value.value === 'string' ? value.value : JSON.stringify(value.value)
  return (
    <li className="flex min-w-0 flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
      <code className={`wrap-anywhere ${value.counts ? '' : 'text-ink-3 line-through'}`}>
        <VisibleText text={text.slice(0, 2000)} />
      </code>
      <span className="text-ink-3">
        <PlaceText place={value} settings={settings} />
      </span>
      {!value.counts && <Chip outline>{t('settings.rules.noEffect')}</Chip>}
    </li>
  )
}

/** Edits a setting in the user's own file: a text, a list with one item per line, or JSON. */
function SettingForm({
  setting: { key, kind },
  settings,
  onDone,
}: {
  readonly setting: Known
  readonly settings: Settings
  readonly onDone: () => void
}): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const id = useId()
  const change = useChangeSettings()
  const own = settings.values.filter((each) => each.key === key && isOwn(each, settings))
  const [typed, setTyped] = useState(() =>
    ownText(
      kind,
      own.map(({ value }) => value),
    ),
  )
  const read = readText(kind, typed)
  const save = (): void => {
    if ('fault' in read) return
    change.mutate(
      { key, value: () => read.value },
      {
        onSuccess() {
          toast({ title: t('settings.saved'), text: key })
          onDone()
        },
      },
    )
  }
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div>
        <label htmlFor={id}>{t('settings.all.own')}</label>
        <textarea
          id={id}
          className="input input-tall"
          rows={kind === 'text' ? 1 : 4}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={'fault' in read || change.error !== null}
          aria-describedby={`${id}-help`}
          onChange={(event) => {
            setTyped(event.target.value)
            change.reset()
          }}
        />
        <p
          id={`${id}-help`}
          className={'fault' in read || change.error ? 'fault' : 'help'}
          aria-live="polite"
        >
          {change.error
            ? errorText(change.error)
            : 'fault' in read
              ? t('settings.all.notJson')
              : t(`settings.all.kind.${kind}`)}
        </p>
      </div>
      <div className="cluster">
        <SaveOrCancel isDisabled={'fault' in read || change.isPending} onCancel={onDone} />
      </div>
    </form>
  )
}

/**
 * The user's own value as field text. A list has one item per line; items other than strings are
 * JSON.
 */
export function ownText(kind: SettingKind, values: readonly unknown[]): string {
  if (values.length === 0) return ''
  if (kind === 'text') return String(values[0])
  if (kind === 'json') return JSON.stringify(values[0], undefined, 2)
  const items = values.flatMap((value) => value)
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')
}

/** The typed value; null removes the setting. */
export function readText(
  kind: SettingKind,
  typed: string,
): { readonly value: unknown } | { readonly fault: 'json' } {
  const text = typed.trim()
  if (text === '') return { value: null }
  if (kind === 'text') return { value: text }
  try {
    if (kind === 'json') return { value: JSON.parse(text) as unknown }
    const lines = text.split('\n').map((line) => line.trim())
    return { value: lines.filter((line) => line !== '').map(itemOf) }
  } catch {
    return { fault: 'json' }
  }
}

function itemOf(line: string): unknown {
  return line.startsWith('{') ? (JSON.parse(line) as unknown) : line
}
