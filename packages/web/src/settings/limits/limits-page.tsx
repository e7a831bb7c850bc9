import { useState } from 'react'
import type { ReactNode } from 'react'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { errorText } from '../../app/error-text.ts'
import { Loaded } from '../../app/loaded.tsx'
import { PageFrame } from '../page-frame.tsx'
import { ownValue, type Settings } from '../place.ts'
import { useChangeSettings, useSettings } from '../use-settings.ts'
import { draftOf, LIMIT_GROUPS, type LimitsDraft, readLimits } from './limit-fields.ts'
import { LimitInput } from './limit-input.tsx'

/** How far a run may go. */
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
  // What was typed and not saved yet. Without it, the fields follow the settings.
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
        <fieldset key={id} className="limits">
          <legend>{t(`settings.limits.group.${id}`)}</legend>
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
      <div className="savebar">
        <button
          type="submit"
          className="btn pri"
          disabled={edited === undefined || isWrong || change.isPending}
        >
          {t('settings.save')}
        </button>
        {edited !== undefined && (
          <button type="button" className="btn ghost" onClick={() => setEdited(undefined)}>
            {t('settings.discard')}
          </button>
        )}
        <span className="dim">{t('settings.limits.empty')}</span>
      </div>
    </form>
  )
}
