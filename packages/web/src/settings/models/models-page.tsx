import { useState, type ReactNode, useId } from 'react'
import { useApi, errorText } from '../../app/use-api.ts'
import { useFolder } from '../../folders/use-folder.ts'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { Loaded } from '../../app/loaded.tsx'
import { PageFrame } from '../page-frame.tsx'
import { ChosenModel, type FoundModels } from './chosen-model.tsx'
import { ModelRow, useModelChoice } from './model-row.tsx'
import { ModelServer } from './model-server.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ModelTest } from './model-test.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { ownValue } from '../place-text.tsx'
import { useChangeSettings } from '../use-settings.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Item } from '../item.tsx'

const SELECTS = 'TOOLGLOT_MODEL=script'

/** The available models, the default, and a test of their tool calls. */
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
        <Button disabled={models.isFetching} onClick={() => void models.refetch()}>
          <Icon name="redo" />
          {models.isFetching ? t('settings.models.looking') : t('settings.models.lookAgain')}
        </Button>
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

/** The number of tests requested for each model, by its reference. */
export type Attempts = Readonly<Record<string, number>>

/** The default model if it was configured and is not among the found ones. */
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
    <Item
      tone={isUsed ? 'ok' : undefined}
      name={<span className="font-500">{t('settings.models.demoName')}</span>}
      about={
        <>
          <span>{t('settings.models.demoAbout')}</span>
          {!isUsed && (
            <>
              <span>{t('settings.models.demoSelect')}</span>{' '}
              <code className="text-ink">{SELECTS}</code>
              <CopyButton text={SELECTS} />
            </>
          )}
        </>
      }
      columns={isUsed ? 2 : 3}
      actions={isUsed ? <Chip tone="ok">{t('settings.models.inUse')}</Chip> : undefined}
    />
  )
}

/** Selects a model by its name or address. */
function OtherModel({
  attempts,
  test,
}: {
  readonly attempts: Attempts
  readonly test: (reference: string) => void
}): ReactNode {
  const { t } = useWords()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [tested, setTested] = useState<string>()
  const { use, state } = useModelChoice({ isQuiet: true })
  const reference = typed.trim()
  return (
    <form
      className="form card px-3.5 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (reference !== '') use(reference)
      }}
    >
      <div>
        <label htmlFor={id}>{t('settings.models.other')}</label>
        <div className="cluster flex-nowrap">
          <input
            id={id}
            className={`input ${state.error ? 'input-invalid' : ''}`}
            value={typed}
            placeholder="http://127.0.0.1:8080/v1#model"
            spellCheck={false}
            autoComplete="off"
            aria-invalid={state.error !== null}
            aria-describedby={`${id}-help`}
            onChange={(event) => {
              setTyped(event.target.value)
              state.reset()
            }}
          />
          <Button
            disabled={reference === ''}
            onClick={() => {
              setTested(reference)
              test(reference)
            }}
          >
            {t('settings.models.test')}
          </Button>
          <Button type="submit" disabled={reference === '' || state.isPending}>
            {t('settings.models.use')}
          </Button>
        </div>
        <p id={`${id}-help`} className={state.error ? 'fault' : 'help'}>
          {state.error ? errorText(state.error) : t('settings.models.otherHelp')}
        </p>
      </div>
      {tested !== undefined && (
        <ModelTest key={tested} reference={tested} attempt={attempts[tested] ?? 0} />
      )}
    </form>
  )
}

/** The paid providers with a key in the environment. */
function Providers({
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
      <div className="mt-0.5 -mb-1.5 flex flex-wrap items-baseline gap-2">
        <h2 className="font-580">{t('settings.models.providers')}</h2>
        <span className="text-ink-2">{t('settings.models.keys')}</span>
      </div>
      {providers.length === 0 ? (
        <p className="text-ink-2">{t('settings.models.noKeys')}</p>
      ) : (
        <div className="card">
          {providers.map(({ id, name, variable, reference, agreed }) => (
            <ModelRow
              key={id}
              reference={reference}
              name={
                <span title={reference}>
                  <b className="font-500">{name}</b>{' '}
                  <code className="text-[12.5px] text-ink-3">{variable}</code>
                </span>
              }
              about={agreed ? t('settings.models.agreed') : t('settings.models.notAgreed')}
              isUsed={choice.reference === reference}
              attempt={attempts[reference] ?? 0}
              test={test}
              extra={
                agreed && (
                  <Button small disabled={change.isPending} onClick={() => withdraw(id)}>
                    {t('settings.models.withdraw')}
                  </Button>
                )
              }
            />
          ))}
        </div>
      )}
    </>
  )
}
