import { useId, useState, type ReactNode } from 'react'
import { useApi, errorText } from '../../app/use-api.ts'
import { useFolder } from '../../folders/use-folder.ts'
import { Icon } from '../../ui/icon.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { Loaded } from '../../app/loaded.tsx'
import { PageFrame } from '../page-frame.tsx'
import { PlaceText, effectiveValue, ownValue, type Settings } from '../place-text.tsx'
import { useChangeSettings, useSettings } from '../use-settings.ts'
import { Button } from '../../ui/button.tsx'

/** The sandbox of commands and the resources they can access. */
export default function SandboxPage(): ReactNode {
  const { t } = useWords()
  const settings = useSettings()
  return (
    <PageFrame title={t('settings.page.sandbox')} about={t('settings.sandbox.about')}>
      <SandboxReport />
      <Loaded query={settings}>{(loaded) => <SandboxForm settings={loaded} />}</Loaded>
      <p className="text-ink-2">{t('settings.sandbox.what')}</p>
    </PageFrame>
  )
}

/** The sandbox in use, and why others are unavailable. */
function SandboxReport(): ReactNode {
  const { t } = useWords()
  const { folder } = useFolder()
  const report = useApi('GET /api/sandbox', { query: { folder } })
  return (
    <Loaded query={report}>
      {({ name, about, missing, network }) => (
        <>
          <div className={`verdict ${name === 'none' ? 'verdict-ask' : ''}`}>
            <Icon name={name === 'none' ? 'hand' : 'shield'} />
            <span className="min-w-0 flex-1">
              <b>
                {name === 'none'
                  ? t('settings.sandbox.none')
                  : t('settings.sandbox.inside', { name })}
              </b>{' '}
              <VisibleText text={about} />
            </span>
          </div>
          {name !== 'none' && network === 'host' && (
            <p className="text-ink-2">{t('settings.sandbox.reachesAll')}</p>
          )}
          {missing.length > 0 && (
            <ul className="grid gap-1">
              {missing.map((each) => (
                <li key={each.name}>
                  <code>{each.name}</code>{' '}
                  <span className="text-ink-2">
                    <VisibleText text={each.reason} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  )
}

const NETWORKS = ['none', 'some', 'host'] as const
const USES = ['auto', 'bubblewrap', 'sandbox-runtime', 'none'] as const

function SandboxForm({ settings }: { readonly settings: Settings }): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const id = useId()
  const change = useChangeSettings()
  const own = ownValue(settings, 'sandbox') as SandboxSetting | undefined
  const source = effectiveValue(settings, 'sandbox')
  const network = networkOf(own)
  // Hosts typed but not saved.
  const [hosts, setHosts] = useState<string>()
  const shown = hosts === undefined ? network : 'some'
  const save = (next: (now: SandboxSetting | undefined) => SandboxSetting | null): void =>
    change.mutate(
      {
        key: 'sandbox',
        value: (now) => next(ownValue(now, 'sandbox') as SandboxSetting | undefined),
      },
      {
        onSuccess() {
          setHosts(undefined)
          toast({ title: t('settings.saved') })
        },
      },
    )
  return (
    <>
      <div className="grid justify-items-start gap-1.5">
        <h3 className="font-580">{t('settings.sandbox.use')}</h3>
        <Segments
          label={t('settings.sandbox.use')}
          value={own?.use ?? 'auto'}
          onChange={(next) => save((now) => withUse(now, next))}
          options={USES.map((value) => ({
            value,
            label:
              value === 'auto' || value === 'none' ? t(`settings.sandbox.use.${value}`) : value,
            disabled: change.isPending,
          }))}
        />
        <p className="help">
          {source ? <PlaceText place={source} settings={settings} /> : t('settings.place.default')}
        </p>
      </div>
      <div className="grid justify-items-start gap-1.5">
        <h3 className="font-580">{t('settings.sandbox.network')}</h3>
        <Segments
          label={t('settings.sandbox.network')}
          value={shown}
          onChange={(next) => {
            if (next === 'some') setHosts(hostsIn(own).join(' '))
            else save((now) => withNetwork(now, next))
          }}
          options={NETWORKS.map((value) => ({
            value,
            label: t(`settings.sandbox.network.${value}`),
            disabled: change.isPending,
          }))}
        />
        {shown === 'some' && (
          <form
            className="cluster w-[min(100%,520px)] flex-nowrap"
            onSubmit={(event) => {
              event.preventDefault()
              const typed = (hosts ?? '').split(/[\s,]+/).filter((host) => host !== '')
              save((now) => withNetwork(now, typed.length > 0 ? typed : 'none'))
            }}
          >
            <label className="sr-only" htmlFor={id}>
              {t('settings.sandbox.hosts')}
            </label>
            <input
              id={id}
              className={`input ${change.error ? 'input-invalid' : ''}`}
              value={hosts ?? hostsIn(own).join(' ')}
              placeholder="registry.npmjs.org go.dev"
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => {
                setHosts(event.target.value)
                change.reset()
              }}
            />
            <Button type="submit" disabled={hosts === undefined || change.isPending}>
              {t('settings.save')}
            </Button>
          </form>
        )}
        <p className={change.error ? 'fault' : 'help'} role={change.error ? 'alert' : undefined}>
          {change.error ? errorText(change.error) : t(`settings.sandbox.help.${shown}`)}
        </p>
      </div>
      {(['read', 'write'] as const).map((access) => {
        const paths = own?.[access]?.join(', ') ?? ''
        return (
          paths !== '' && (
            <p key={access} className="help">
              <VisibleText text={t(`settings.sandbox.${access}`, { paths })} />
            </p>
          )
        )
      })}
    </>
  )
}

/** The setting `sandbox`. */
interface SandboxSetting {
  readonly use?: 'bubblewrap' | 'sandbox-runtime' | 'none'
  readonly network?: 'none' | 'host' | readonly string[]
  /** Paths outside the workspace that commands can read and write. */
  readonly read?: readonly string[]
  readonly write?: readonly string[]
}

/** The network access of commands: none, some hosts, or all. */
export function networkOf(setting: SandboxSetting | undefined): 'none' | 'some' | 'host' {
  const { network = 'none' } = setting ?? {}
  return network === 'none' || network === 'host' ? network : 'some'
}

/** The hosts that commands can reach, if listed. */
export function hostsIn(setting: SandboxSetting | undefined): readonly string[] {
  const { network } = setting ?? {}
  return Array.isArray(network) ? (network as readonly string[]) : []
}

/** The setting with another sandbox; null if it becomes empty. */
export function withUse(
  setting: SandboxSetting | undefined,
  use: 'auto' | Exclude<SandboxSetting['use'], undefined>,
): SandboxSetting | null {
  const { use: _, ...rest } = setting ?? {}
  return orNothing(use === 'auto' ? rest : { ...rest, use })
}

/** The setting with another network. */
export function withNetwork(
  setting: SandboxSetting | undefined,
  network: Exclude<SandboxSetting['network'], undefined>,
): SandboxSetting | null {
  const { network: _, ...rest } = setting ?? {}
  return orNothing(network === 'none' ? rest : { ...rest, network })
}

function orNothing(setting: SandboxSetting): SandboxSetting | null {
  return Object.keys(setting).length > 0 ? setting : null
}
