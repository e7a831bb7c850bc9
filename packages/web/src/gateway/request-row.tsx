import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormat } from '../chat/format.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { GatewayRequest } from './fold-requests.ts'
import { OutcomeMark } from './outcome-mark.tsx'

/** A request in the list: a link to its details. */
export function RequestRow({
  request,
  isShown,
}: {
  readonly request: GatewayRequest
  readonly isShown: boolean
}): ReactNode {
  const { t, date, number } = useWords()
  const { duration } = useFormat()
  const { id, time, outcome, requestedModel, usage, malformed, error } = request
  const repairs = request.repairs.reduce((sum, { count }) => sum + count, 0)
  return (
    <Link
      className="gw-row"
      to="/gateway"
      search={(search) => ({ ...search, request: id })}
      data-request={id}
      activeProps={{}}
      {...(isShown && { 'aria-current': 'true' as const })}
    >
      <OutcomeMark outcome={outcome} />
      <span className="gw-line1">
        <span className="gw-what">
          <span className="mono cut">
            {requestedModel === undefined ? '—' : <VisibleText text={requestedModel} />}
          </span>
          <CallNames request={request} />
          {repairs > 0 && (
            <span className="chip ask">{t('gateway.row.repairs', { count: repairs })}</span>
          )}
          {malformed > 0 && (
            <span className="chip no">{t('gateway.row.malformed', { count: malformed })}</span>
          )}
          {error !== undefined && (
            <span className="chip no mono cut">
              <VisibleText text={error} />
            </span>
          )}
        </span>
        <span className="num gw-end">
          {request.duration === undefined ? '' : duration(request.duration)}
        </span>
      </span>
      <span className="gw-line2 dim-2">
        <span className="cut grow">
          <VisibleText
            text={[request.api, request.protocol, request.client]
              .filter((each) => each !== undefined)
              .join(' · ')}
          />
        </span>
        <span className="num gw-end">
          {usage && `${number(usage.input)} → ${number(usage.output)} · `}
          {date(time, { hour: '2-digit', minute: '2-digit', second: '2-digit' })}
        </span>
      </span>
    </Link>
  )
}

const MAX_NAMES = 3

function CallNames({
  request: { calls, callNames, tools },
}: {
  readonly request: GatewayRequest
}): ReactNode {
  const { t, number } = useWords()
  if (calls === 0)
    return tools === 0 ? null : (
      <span className="dim-2">{t('gateway.row.tools', { count: tools })}</span>
    )
  const shown = callNames.slice(0, MAX_NAMES)
  return (
    <>
      {shown.map((name, at) => (
        <span className="chip call mono cut" key={at}>
          <VisibleText text={name} />
        </span>
      ))}
      {calls > shown.length && (
        <span className="dim-2">
          {t('gateway.row.more', { count: number(calls - shown.length) })}
        </span>
      )}
    </>
  )
}
