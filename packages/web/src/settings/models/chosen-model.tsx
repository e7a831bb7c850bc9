import type { ApiAnswer } from '@toolglot/server/client'
import type { ReactNode } from 'react'
import { Banner } from '../../ui/banner.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { errorText } from '../../app/use-api.ts'
import { useChangeSettings } from '../use-settings.ts'
import { useModelChoice } from './model-row.tsx'
import { Button } from '../../ui/button.tsx'

/** The models found by the server. */
export type FoundModels = ApiAnswer<'GET /api/models'>

/** The default model, and why it was chosen. */
export function ChosenModel({ found }: { readonly found: FoundModels }): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const change = useChangeSettings()
  const { use, state } = useModelChoice()
  const { choice, isDemo, saved } = found
  const forget = (): void =>
    change.mutate(
      { key: 'model', value: () => null },
      {
        onSuccess: () => toast({ title: t('settings.models.forgotten') }),
        onError: (error) =>
          toast({ title: t('settings.notSaved'), text: errorText(error), kind: 'no' }),
      },
    )
  return (
    <>
      {isDemo && (
        <Banner icon="hand">
          <b>{t('settings.models.demo')}</b> <VisibleText text={whole(choice.why)} />
        </Banner>
      )}
      {choice.costs && choice.reference !== undefined && (
        <Banner
          icon="hand"
          action={
            <Button small disabled={state.isPending} onClick={() => use(choice.reference!)}>
              {t('settings.models.agree')}
            </Button>
          }
        >
          {t('settings.models.costs', { provider: choice.costs.name })}
        </Banner>
      )}
      <p className="text-ink-2">
        {!isDemo && choice.reference !== undefined && (
          <>
            {t('settings.models.used')}{' '}
            <code className="text-ink">
              <VisibleText text={choice.reference} />
            </code>
            . <VisibleText text={whole(choice.why)} />{' '}
            {choice.protocol === 'native'
              ? `${t('settings.models.native')}.`
              : choice.protocol !== undefined && (
                  <>
                    {t('settings.models.askedIn')} <code>{choice.protocol}</code>
                    {choice.isGuess === true && `: ${t('settings.models.by.guess')}`}.
                  </>
                )}
          </>
        )}
        {saved?.scope === 'user' && (
          <>
            {' '}
            <button
              type="button"
              className="text-link"
              disabled={change.isPending}
              onClick={forget}
            >
              {t('settings.models.forget')}
            </button>
          </>
        )}
      </p>
    </>
  )
}

/** The server's reason as a sentence. */
function whole(why: string): string {
  return `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`
}
