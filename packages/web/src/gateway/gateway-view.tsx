import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { errorText } from '../app/error-text.ts'
import { LoadingLines } from '../app/loaded.tsx'
import { RetryBanner } from '../app/retry-banner.tsx'
import { ViewFrame } from '../app/view-frame.tsx'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import '../styles/gateway.css'
import { ConnectClient } from './connect-client.tsx'
import { listAddress } from './list-address.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'
import { Today } from './today.tsx'
import { useGatewayRequests } from './use-gateway-requests.ts'

/** In the address, in place of a request: how to connect. On a wide screen that is shown beside the list anyway. */
const CONNECT = 'connect'

/** The requests to the gateway while they happen, and how a client is connected. */
export function GatewayView(): ReactNode {
  const { t } = useWords()
  const { request: shown } = useSearch({ strict: false })
  const { known, error, retry } = useGatewayRequests()
  const requests = known?.requests ?? []
  const request = requests.find(({ id }) => id === shown)
  const isGone = known !== undefined && !request && shown !== undefined && shown !== CONNECT
  const isEmpty = known !== undefined && requests.length === 0 && !isGone
  return (
    <ViewFrame
      title="view.gateway"
      about={t('gateway.about')}
      className={`gateway ${isEmpty ? 'is-empty' : shown === undefined ? '' : 'has-detail'}`}
      actions={
        !isEmpty && (
          <Link
            to="/gateway"
            search={(search) => ({ ...search, request: CONNECT })}
            className="btn sm"
            aria-label={t('gateway.connect')}
          >
            <Icon name="plug" />
            <span>{t('gateway.connect')}</span>
          </Link>
        )
      }
    >
      <div className="gw-main">
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
          <div className="empty gw-empty">
            <Icon name="plug" />
            <b>{t('gateway.empty')}</b>
            <p className="dim">{t('gateway.empty.how')}</p>
          </div>
        ) : (
          <>
            <Today today={known.today} />
            <RequestList requests={requests} shown={shown} />
          </>
        )}
      </div>
      <div className="gw-aside scroll">
        {request ? (
          <RequestDetail request={request} />
        ) : (
          <>
            {shown !== undefined && !isEmpty && (
              <Link to="/gateway" search={listAddress} className="btn sm ghost phone-back">
                {t('gateway.back')}
              </Link>
            )}
            {isGone && (
              <div className="empty p-4" role="status">
                <b>{t('gateway.gone')}</b>
                <p className="dim">{t('gateway.gone.how')}</p>
              </div>
            )}
            {known !== undefined && <ConnectClient />}
          </>
        )}
      </div>
    </ViewFrame>
  )
}
