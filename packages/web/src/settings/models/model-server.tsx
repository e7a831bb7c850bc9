import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { FoundModels } from './chosen-model.tsx'
import { ModelRow } from './model-row.tsx'
import type { Attempts } from './models-page.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Item } from '../item.tsx'

type Server = FoundModels['servers'][number]
type Model = Server['models'][number]

/** A model server with its models, or instructions to start it. */
export function ModelServer({
  server,
  chosen,
  attempts,
  test,
}: {
  readonly server: Server
  readonly chosen: string | undefined
  readonly attempts: Attempts
  readonly test: (reference: string) => void
}): ReactNode {
  const { t, number } = useWords()
  const { name, url, status, start, models } = server
  if (status === 'running' && models.length > 0)
    return models.map((model) => (
      <ModelRow
        key={model.reference}
        reference={model.reference}
        about={<Abilities model={model} />}
        context={contextOf(model)}
        isUsed={model.reference === chosen}
        attempt={attempts[model.reference] ?? 0}
        test={test}
      />
    ))
  return (
    <Item
      tone={status === 'absent' ? undefined : 'ask'}
      name={<span className="font-500">{name}</span>}
      title={url}
      about={
        status === 'absent' ? (
          <>
            {t('settings.models.absent')} <code className="text-ink">{start}</code>
            <CopyButton text={start} />
          </>
        ) : status === 'other' ? (
          t('settings.models.otherListens', { url })
        ) : (
          t('settings.models.empty')
        )
      }
      columns={3}
    />
  )

  function contextOf({ contextTokens, trainedTokens }: Model): ReactNode {
    const tokens = contextTokens ?? trainedTokens
    if (tokens === undefined) return null
    const short = number(tokens, { notation: 'compact', maximumFractionDigits: 1 })
    const title =
      contextTokens === undefined
        ? t('settings.models.trained', { tokens: number(tokens) })
        : t('settings.models.context', { tokens: number(tokens) })
    return (
      <span title={title}>
        {short} <span className="text-ink-3">{t('settings.models.tokens')}</span>
      </span>
    )
  }
}

/** The model's protocol and other capabilities. */
function Abilities({ model }: { readonly model: Model }): ReactNode {
  const { t } = useWords()
  const { protocol, protocolBy = 'name', tools, images, loaded } = model
  return (
    <>
      {protocol === undefined ? (
        t(tools === true ? 'settings.models.native' : 'settings.models.unknownProtocol')
      ) : (
        <>
          <code>{protocol}</code> · {t(`settings.models.by.${protocolBy}`)}
        </>
      )}
      {tools === true && <Chip>{t('settings.models.hasTools')}</Chip>}
      {images === true && <Chip>{t('settings.models.hasImages')}</Chip>}
      {loaded === true && <Chip tone="ok">{t('settings.models.loaded')}</Chip>}
    </>
  )
}
