import type { UseMutationResult } from '@tanstack/react-query'
import type { ApiAnswer } from '@toolglot/server/client'
import { useDo } from '../../app/use-api.ts'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { errorText } from '../../app/error-text.ts'

type Used = ApiAnswer<'POST /api/models/use'>

/** Makes a model the default, and shows the result. `isQuiet`: the caller shows the errors. */
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
