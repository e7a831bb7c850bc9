import type { PermissionMode } from '@toolglot/permissions'
import type { ReactNode } from 'react'
import { MODES } from '../../compose/choices.ts'
import { Icon } from '../../ui/icon.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { errorText } from '../../app/error-text.ts'
import { PlaceText } from '../place-text.tsx'
import { effectiveValue, type Settings } from '../place.ts'
import { useChangeSettings } from '../use-settings.ts'

/** What happens to a call that no rule covers. */
export function ModeBar({
  settings,
  isAdding,
  setAdding,
}: {
  readonly settings: Settings | undefined
  readonly isAdding: boolean
  readonly setAdding: (isAdding: boolean) => void
}): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const change = useChangeSettings()
  const mode = settings?.mode
  const source = settings && effectiveValue(settings, 'permissions.mode')
  const choose = (next: PermissionMode): void =>
    change.mutate(
      { key: 'permissions.mode', value: () => next },
      {
        onSuccess: () =>
          toast({ title: t('settings.mode.saved', { mode: t(`compose.mode.${next}`) }) }),
        onError: (error) =>
          toast({ title: t('settings.notSaved'), text: errorText(error), kind: 'no' }),
      },
    )
  return (
    <div className="bar flex-wrap">
      <Segments
        label={t('settings.mode')}
        value={mode ?? 'default'}
        onChange={choose}
        options={MODES.map((value) => ({
          value,
          label: t(`compose.mode.${value}`),
          title: t(`compose.mode.${value}.about`),
          disabled: mode === undefined || change.isPending,
        }))}
      />
      <span className="ml-auto" />
      <button
        type="button"
        className="btn"
        aria-expanded={isAdding}
        onClick={() => setAdding(!isAdding)}
      >
        <Icon name="plus" />
        {t('settings.rule')}
      </button>
      {settings && mode !== undefined && (
        <span className="about dim">
          {t(`compose.mode.${mode}.about`)}
          {source && (
            <span className="dim-2">
              {' · '}
              <PlaceText place={source} settings={settings} />
            </span>
          )}
        </span>
      )}
    </div>
  )
}
