import type { ReactNode } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { ModelTest } from './model-test.tsx'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ApiAnswer } from '@toolglot/server/client'
import { useDo, errorText } from '../../app/use-api.ts'
import { useToast } from '../../ui/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Item, BELOW_ITEM } from '../item.tsx'

/** A model that can be tested and used. */
export function ModelRow({
  reference,
  name,
  about,
  context,
  isUsed,
  attempt,
  test,
  extra,
}: {
  readonly reference: string
  readonly name?: ReactNode
  readonly about: ReactNode
  readonly context?: ReactNode
  readonly isUsed: boolean
  /** The number of tests requested. */
  readonly attempt: number
  readonly test: (reference: string) => void
  readonly extra?: ReactNode
}): ReactNode {
  const { t } = useWords()
  const { use, state } = useModelChoice()
  return (
    <Item
      tone={isUsed ? 'ok' : undefined}
      name={
        name ?? (
          <code title={reference} className={`text-[12.5px] ${isUsed ? 'font-600' : ''}`}>
            <VisibleText text={reference} />
          </code>
        )
      }
      about={about}
      fact={context ?? null}
      actions={
        <>
          {isUsed && <Chip tone="ok">{t('settings.models.inUse')}</Chip>}
          <Button
            small
            aria-label={t('settings.models.testOf', { model: reference })}
            onClick={() => test(reference)}
          >
            {t('settings.models.test')}
          </Button>
          {!isUsed && (
            <Button
              small
              disabled={state.isPending}
              aria-label={t('settings.models.useOf', { model: reference })}
              onClick={() => use(reference)}
            >
              {t('settings.models.use')}
            </Button>
          )}
          {extra}
        </>
      }
    >
      {attempt > 0 && <ModelTest {...{ reference, attempt }} className={BELOW_ITEM} />}
    </Item>
  )
}

type Used = ApiAnswer<'POST /api/models/use'>

/** Sets the default model and shows the result. With `isQuiet`, the caller shows errors. */
export function useModelChoice({ isQuiet = false }: { readonly isQuiet?: boolean } = {}): {
  readonly use: (reference: string) => void
  readonly state: UseMutationResult<Used, Error, { readonly body: { readonly model: string } }>
} {
  const { t } = useWords()
  const toast = useToast()
  const state = useDo('POST /api/models/use', ['GET /api/models', 'GET /api/settings'])
  const use = (reference: string): void =>
    state.mutate(
      { body: { model: reference } },
      {
        onSuccess: ({ reference: model, overriddenBy: by }) =>
          toast(
            by === undefined
              ? { title: t('settings.models.isDefault', { model }) }
              : {
                  title: t('settings.saved'),
                  text: t('settings.models.overridden', { model, by }),
                  kind: 'ask',
                },
          ),
        onError: (error) =>
          isQuiet || toast({ title: t('settings.notSaved'), text: errorText(error), kind: 'no' }),
      },
    )
  return { use, state }
}
