// Folder: The gateway's view: addresses, tokens, clients.
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { errorText } from '../app/use-api.ts'
import { LoadingLines, RetryBanner } from '../app/loaded.tsx'
import { ViewFrame } from '../app/view-frame.tsx'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { ConnectClient } from './connect-client.tsx'
import { listAddress, type GatewayRequests, foldRequests } from './fold-requests.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'
import { useFormat } from '../chat/format.ts'
import { useClient } from '@toolglot/react'
import { ApiError } from '@toolglot/server/client'

/** The requests received so far. */
interface KnownRequests {
  /** Undefined until the server has answered. Kept while the connection is lost. */
  readonly known: GatewayRequests | undefined
  /** Why updates have stopped. */
  readonly error: Error | undefined
  readonly retry: () => void
}

/**
 * In the address instead of a request: the instructions for clients. Wide screens always show them
 * beside the list.
 */
const CONNECT = 'connect'

/** Live requests to the gateway, and the instructions for clients. */
export function GatewayView(): ReactNode {
  const { t } = useWords()
  const { request: shown } = useSearch({ strict: false })
  const { known, error, retry } = useGatewayRequests()
  const requests = known?.requests ?? []
  const request = requests.find(({ id }) => id === shown)
  const isGone = known !== undefined && !request && shown !== undefined && shown !== CONNECT
  const isEmpty = known !== undefined && requests.length === 0 && !isGone
  const hasDetail = !isEmpty && shown !== undefined
  return (
    <ViewFrame
      title="view.gateway"
      about={t('gateway.about')}
      className={`grid-cols-[minmax(0,1fr)_minmax(360px,460px)] tablet:grid-cols-[minmax(0,1fr)_minmax(300px,380px)] phone:grid-cols-1 ${isEmpty ? 'phone:content-start phone:overflow-auto' : ''}`}
      actions={
        !isEmpty && (
          <Link
            to="/gateway"
            search={(search) => ({ ...search, request: CONNECT })}
            className="button button-small"
            aria-label={t('gateway.connect')}
          >
            <Icon name="plug" />
            <span>{t('gateway.connect')}</span>
          </Link>
        )
      }
    >
      <div
        className={`grid min-h-0 min-w-0 ${isEmpty ? 'grid-rows-[minmax(0,1fr)]' : 'grid-rows-[auto_minmax(0,1fr)]'} ${hasDetail ? 'phone:hidden' : ''}`}
      >
        {error && (
          <div className="p-4">
            <RetryBanner retry={retry}>
              <VisibleText text={errorText(error)} />
            </RetryBanner>
          </div>
        )}
        {known === undefined ? (
          !error && <LoadingLines className="grid gap-3 p-4" />
        ) : isEmpty ? (
          <div className="empty content-center p-6">
            <Icon name="plug" className="size-[22px] text-ink-3" />
            <b>{t('gateway.empty')}</b>
            <p className="text-ink-2">{t('gateway.empty.how')}</p>
          </div>
        ) : (
          <>
            <Today today={known.today} />
            <RequestList requests={requests} shown={shown} />
          </>
        )}
      </div>
      <div
        className={`min-h-0 min-w-0 overflow-auto overscroll-contain border-l border-line bg-panel phone:border-l-0 ${hasDetail || isEmpty ? '' : 'phone:hidden'}`}
      >
        {request ? (
          <RequestDetail request={request} />
        ) : (
          <>
            {shown !== undefined && !isEmpty && (
              <Link
                to="/gateway"
                search={listAddress}
                className="button button-small button-ghost m-2 hidden phone:inline-flex"
              >
                {t('gateway.back')}
              </Link>
            )}
            {isGone && (
              <div className="empty p-4" role="status">
                <b>{t('gateway.gone')}</b>
                <p className="text-ink-2">{t('gateway.gone.how')}</p>
              </div>
            )}
            {known !== undefined && <ConnectClient />}
          </>
        )}
      </div>
    </ViewFrame>
  )
}

/** Today's counts of the gateway. */
function Today({ today }: { readonly today: GatewayRequests['today'] }): ReactNode {
  const { t, number, date } = useWords()
  const { tokens } = useFormat()
  const { requests, calls, repairs, errors, inputTokens, outputTokens, since } = today
  const isWholeDay = new Date(since).getHours() === 0 && new Date(since).getMinutes() === 0
  const label = isWholeDay
    ? t('gateway.today')
    : t('gateway.today.since', { time: date(since, { hour: '2-digit', minute: '2-digit' }) })
  const figures: readonly (readonly [string, string])[] = [
    [number(requests), t('gateway.today.requests', { count: requests })],
    [number(calls), t('gateway.today.calls', { count: calls })],
    [number(repairs), t('gateway.today.repairs', { count: repairs })],
    [number(errors), t('gateway.today.errors', { count: errors })],
    [tokens(inputTokens + outputTokens), t('gateway.today.tokens')],
  ]
  return (
    <section
      className="flex flex-wrap items-baseline gap-x-[18px] gap-y-1 border-b border-line px-4 py-2.5 phone:gap-x-3.5 phone:gap-y-0.5"
      aria-label={label}
    >
      <span className="label">{label}</span>
      {figures.map(([figure, name]) => (
        <span key={name}>
          <b className="text-14 font-580 tabular-nums">{figure}</b>{' '}
          <span className="text-ink-3">{name}</span>
        </span>
      ))}
    </section>
  )
}

/** The requests to the gateway, updated live. */
function useGatewayRequests(): KnownRequests {
  const client = useClient()
  const [known, setKnown] = useState<GatewayRequests>()
  const [error, setError] = useState<Error>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    const follow = async (): Promise<void> => {
      for await (const message of client.gatewayRequests({ signal: stop.signal }))
        setKnown((before) => foldRequests(before, message))
    }
    follow().catch((thrown: unknown) => {
      // The page itself reports that the session has ended.
      if (stop.signal.aborted || (thrown instanceof ApiError && thrown.status === 401)) return
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
    })
    return () => stop.abort()
  }, [client, attempt])
  const retry = useCallback(() => {
    setError(undefined)
    setAttempt((before) => before + 1)
  }, [])
  return { known, error, retry }
}
