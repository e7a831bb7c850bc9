import { useState, type ReactNode } from 'react'
import { useApi } from '../../app/use-api.ts'
import { useFolder } from '../../folders/use-folder.ts'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { Loaded } from '../../app/loaded.tsx'
import { PageFrame } from '../page-frame.tsx'
import { ChosenModel, type FoundModels } from './chosen-model.tsx'
import { OtherModel } from './other-model.tsx'
import { Providers } from './providers.tsx'
import { ModelRow } from './model-row.tsx'
import { ModelServer } from './model-server.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'

const SELECTS = 'TOOLGLOT_MODEL=script'

/** Which models there are, which one is used, and whether it can call tools. */
export default function ModelsPage(): ReactNode {
  const { t } = useWords()
  const { folder } = useFolder()
  const models = useApi('GET /api/models', { query: { folder } }, { staleTime: 30_000 })
  const [attempts, setAttempts] = useState<Attempts>({})
  const test = (reference: string): void =>
    setAttempts((before) => ({ ...before, [reference]: (before[reference] ?? 0) + 1 }))
  return (
    <PageFrame
      title={t('settings.page.models')}
      about={t('settings.models.about')}
      actions={
        <button
          type="button"
          className="btn"
          disabled={models.isFetching}
          onClick={() => void models.refetch()}
        >
          <Icon name="redo" />
          {models.isFetching ? t('settings.models.looking') : t('settings.models.lookAgain')}
        </button>
      }
    >
      <Loaded query={models}>
        {(found) => {
          const named = namedModel(found)
          return (
            <>
              <ChosenModel found={found} />
              <div className="card">
                {named !== undefined && (
                  <ModelRow
                    reference={named}
                    about={t('settings.models.named')}
                    isUsed
                    attempt={attempts[named] ?? 0}
                    test={test}
                  />
                )}
                {found.servers.map((server) => (
                  <ModelServer
                    key={server.id}
                    {...{ server, attempts, test }}
                    chosen={found.choice.reference}
                  />
                ))}
                <DemoRow isUsed={found.isDemo} />
              </div>
              <Providers {...{ found, attempts, test }} />
              <OtherModel {...{ attempts, test }} />
            </>
          )
        }}
      </Loaded>
    </PageFrame>
  )
}

/** How often a test of a model was asked for, by its reference. */
export type Attempts = Readonly<Record<string, number>>

/** The model that is used, if it is none of those that were found: somebody named it. */
function namedModel({ choice, isDemo, servers, providers }: FoundModels): string | undefined {
  const found = [...servers.flatMap(({ models }) => models), ...providers]
  return isDemo || found.some(({ reference }) => reference === choice.reference)
    ? undefined
    : choice.reference
}

/** The script that answers if there is no model. */
function DemoRow({ isUsed }: { readonly isUsed: boolean }): ReactNode {
  const { t } = useWords()
  return (
    <div className="item">
      <div className="cells">
        <i className={`dot ${isUsed ? 'ok' : ''}`} aria-hidden="true" />
        <div className="name cut font-medium">{t('settings.models.demoName')}</div>
        <div className={`about dim ${isUsed ? 'most' : 'wide'}`}>
          <span>{t('settings.models.demoAbout')}</span>
          {!isUsed && (
            <>
              <span>{t('settings.models.demoSelect')}</span>{' '}
              <code className="text-ink">{SELECTS}</code>
              <CopyButton text={SELECTS} />
            </>
          )}
        </div>
        {isUsed && (
          <div className="acts">
            <span className="chip ok">{t('settings.models.inUse')}</span>
          </div>
        )}
      </div>
    </div>
  )
}
