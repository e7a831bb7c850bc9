import { useState, type ReactNode } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Picker } from '../ui/picker.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { SNIPPETS } from './snippets.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { observedFetch } from '../app/connection.ts'

/** The model that the gateway chooses itself. */
const DEFAULT_MODEL = 'default'

const CREATE_TOKEN = 'toolglot token create laptop --scope gateway'
const OWN_TOKEN = 'toolglot token'

/** How a client is connected: the address, a key, and a text to copy. */
export function ConnectClient(): ReactNode {
  const { t } = useWords()
  const models = useGatewayModels()
  const [chosen, setModel] = useState(DEFAULT_MODEL)
  const [id, setId] = useState('environment')
  const known = models.data ?? [DEFAULT_MODEL]
  // A model may have gone meanwhile.
  const model = known.includes(chosen) ? chosen : DEFAULT_MODEL
  const url = `${location.origin}/v1`
  const snippet = SNIPPETS.find((each) => each.id === id)!
  const text = snippet.text({ url, model })
  return (
    <section className="gw-connect pad" aria-labelledby="gw-connect">
      <div>
        <h2 id="gw-connect">{t('gateway.connect')}</h2>
        <p className="dim">{t('gateway.connect.what')}</p>
      </div>
      <Line name={t('gateway.connect.url')} text={url} />
      <div>
        <h3 className="label">{t('gateway.connect.key')}</h3>
        <p className="dim">{t('gateway.connect.token')}</p>
        <Code text={CREATE_TOKEN} />
        <p className="dim">{t('gateway.connect.tokenMine')}</p>
        <Code text={OWN_TOKEN} />
      </div>
      <div className="gw-choose">
        <div className="gw-tabs" role="group" aria-label={t('gateway.connect.as')}>
          {SNIPPETS.map(({ id: each, name }) => (
            <button key={each} type="button" aria-pressed={each === id} onClick={() => setId(each)}>
              {name ?? t('gateway.connect.environment')}
            </button>
          ))}
        </div>
        {snippet.id === 'environment' ? (
          <p className="dim">{t('gateway.connect.environmentAbout')}</p>
        ) : (
          <Picker
            label={t('gateway.connect.model')}
            options={known.map((name) => ({ value: name, label: <VisibleText text={name} /> }))}
            value={model}
            onChange={setModel}
            trigger={
              <button type="button" className="pick">
                <span className="dim">{t('gateway.connect.model')}</span>
                <span className="mono cut">
                  <VisibleText text={model} />
                </span>
                <Icon name="down" />
              </button>
            }
          />
        )}
        {models.isError && <p className="dim">{t('gateway.connect.failed')}</p>}
        <div className="gw-code">
          <pre className="code" tabIndex={0} role="region" aria-label={t('gateway.connect.shown')}>
            {text}
          </pre>
          <CopyButton text={text} label={t('gateway.connect.copy')} className="btn sm" />
        </div>
      </div>
      <p className="dim-2">{t('gateway.privacy')}</p>
    </section>
  )
}

function Line({ name, text }: { readonly name: string; readonly text: string }): ReactNode {
  return (
    <div>
      <h3 className="label">{name}</h3>
      <Code text={text} />
    </div>
  )
}

function Code({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="gw-line">
      <code className="code">{text}</code>
      <CopyButton text={text} />
    </div>
  )
}

/** The names that clients can write in `model`, as the gateway lists them. `default` is the first. */
function useGatewayModels(): UseQueryResult<readonly string[]> {
  return useQuery({ queryKey: ['GET /v1/models'], queryFn: ({ signal }) => namesOf(signal) })
}

async function namesOf(signal: AbortSignal): Promise<readonly string[]> {
  const response = await observedFetch('/v1/models', { signal })
  if (!response.ok) throw new Error(`The gateway answered with status ${response.status}.`)
  const { data } = (await response.json()) as { readonly data: readonly { readonly id: string }[] }
  const names = data.map(({ id }) => id).filter((id) => id !== DEFAULT_MODEL && id !== '*')
  return [DEFAULT_MODEL, ...names]
}
