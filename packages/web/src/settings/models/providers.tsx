import type { ReactNode } from 'react'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { errorText } from '../../app/error-text.ts'
import { ownValue } from '../place.ts'
import { useChangeSettings } from '../use-settings.ts'
import type { FoundModels } from './chosen-model.tsx'
import { ModelRow } from './model-row.tsx'
import type { Attempts } from './models-page.tsx'

/** The paid providers with a key in the environment. */
export function Providers({
  found: { providers, choice },
  attempts,
  test,
}: {
  readonly found: FoundModels
  readonly attempts: Attempts
  readonly test: (reference: string) => void
}): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const change = useChangeSettings()
  const withdraw = (provider: string): void =>
    change.mutate(
      {
        key: 'paidProviders',
        value(now) {
          const own = ownValue(now, 'paidProviders')
          return (Array.isArray(own) ? own : []).filter((each) => each !== provider)
        },
      },
      {
        onSuccess: () => toast({ title: t('settings.models.withdrawn', { provider }) }),
        onError: (error) =>
          toast({ title: t('settings.notSaved'), text: errorText(error), kind: 'no' }),
      },
    )
  return (
    <>
      <div className="hgroup">
        <h2>{t('settings.models.providers')}</h2>
        <span className="dim">{t('settings.models.keys')}</span>
      </div>
      {providers.length === 0 ? (
        <p className="dim">{t('settings.models.noKeys')}</p>
      ) : (
        <div className="card">
          {providers.map(({ id, name, variable, reference, agreed }) => (
            <ModelRow
              key={id}
              reference={reference}
              name={
                <span title={reference}>
                  <b className="font-medium">{name}</b> <code className="dim-2">{variable}</code>
                </span>
              }
              about={agreed ? t('settings.models.agreed') : t('settings.models.notAgreed')}
              isUsed={choice.reference === reference}
              attempt={attempts[reference] ?? 0}
              test={test}
              extra={
                agreed && (
                  <button
                    type="button"
                    className="btn sm"
                    disabled={change.isPending}
                    onClick={() => withdraw(id)}
                  >
                    {t('settings.models.withdraw')}
                  </button>
                )
              }
            />
          ))}
        </div>
      )}
    </>
  )
}
