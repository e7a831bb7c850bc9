import { useNavigate, Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { useCommands } from '../app/commands.ts'
import { listKeys } from '../app/list-keys.ts'
import { useWords } from '../words/words.ts'
import type { GatewayRequest } from './fold-requests.ts'
import { useFormat } from '../chat/format.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { OutcomeMark } from './outcome-mark.tsx'
import { Chip } from '../ui/chip.tsx'

const MAX_NAMES = 3

const ROW = 50

/** The latest requests, newest first. Draws only visible rows. */
export function RequestList({
  requests,
  shown,
}: {
  readonly requests: readonly GatewayRequest[]
  readonly shown: string | undefined
}): ReactNode {
  const { t } = useWords()
  const navigate = useNavigate()
  const scroll = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: requests.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    getItemKey: (at) => requests[at]!.id,
    overscan: 10,
  })
  const at = requests.findIndex(({ id }) => id === shown)
  useEffect(() => {
    if (at >= 0) list.scrollToIndex(at, { align: 'auto' })
    // Scrolls only when the selection changes, not when requests arrive.
  }, [shown])
  useStayingInPlace(scroll, requests)
  const move = (by: 1 | -1): void => {
    const request = requests[Math.min(Math.max(at + by, 0), requests.length - 1)]
    if (!request) return
    void navigate({
      to: '/gateway',
      search: (search) => ({ ...search, request: request.id }),
      // A held key must not fill the browser history.
      replace: at >= 0,
    })
  }
  useCommands(listKeys('gateway', { next: 'gateway.next', previous: 'gateway.previous' }, move))
  return (
    <div className="min-h-0 overflow-auto overscroll-contain" ref={scroll}>
      <ul
        className="relative"
        aria-label={t('gateway.requests')}
        style={{ height: list.getTotalSize() }}
      >
        {list.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            className="absolute inset-x-0"
            style={{ height: ROW, transform: `translateY(${start}px)` }}
          >
            <RequestRow request={requests[index]!} isShown={index === at} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * Keeps visible requests in place while others arrive above them, unless the newest are visible.
 */
function useStayingInPlace(
  scroll: RefObject<HTMLDivElement | null>,
  requests: readonly GatewayRequest[],
): void {
  const first = useRef<string>(undefined)
  useLayoutEffect(() => {
    const { current: element } = scroll
    const added = requests.findIndex(({ id }) => id === first.current)
    first.current = requests[0]?.id
    if (element && added > 0 && element.scrollTop > 0) element.scrollTop += added * ROW
  }, [scroll, requests])
}

/** A request in the list, linked to its details. */
function RequestRow({
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
      className="grid h-full grid-cols-[14px_minmax(0,1fr)] content-center items-center gap-x-[9px] border-b border-line pr-4 pl-3.5 hover:bg-hover aria-[current]:bg-sel"
      to="/gateway"
      search={(search) => ({ ...search, request: id })}
      data-request={id}
      activeProps={{}}
      {...(isShown && { 'aria-current': 'true' as const })}
    >
      <OutcomeMark outcome={outcome} />
      <span className="col-start-2 row-start-1 flex min-w-0 items-center gap-3">
        <span className="flex min-w-0 flex-1 items-center gap-1.5 overflow-hidden whitespace-nowrap">
          <span className="min-w-[60px] truncate font-mono text-12 font-540">
            {requestedModel === undefined ? '—' : <VisibleText text={requestedModel} />}
          </span>
          <CallNames request={request} />
          {repairs > 0 && <Chip tone="ask">{t('gateway.row.repairs', { count: repairs })}</Chip>}
          {malformed > 0 && (
            <Chip tone="no">{t('gateway.row.malformed', { count: malformed })}</Chip>
          )}
          {error !== undefined && (
            <Chip tone="no" mono className="block max-w-40 min-w-0 truncate leading-[19px]">
              <VisibleText text={error} />
            </Chip>
          )}
        </span>
        <span className="text-right text-12 whitespace-nowrap tabular-nums">
          {request.duration === undefined ? '' : duration(request.duration)}
        </span>
      </span>
      <span className="col-start-2 flex min-w-0 items-center gap-3 text-12 text-ink-3">
        <span className="min-w-0 flex-1 truncate">
          <VisibleText
            text={[request.api, request.protocol, request.client]
              .filter((each) => each !== undefined)
              .join(' · ')}
          />
        </span>
        <span className="text-right text-12 whitespace-nowrap tabular-nums">
          {usage && `${number(usage.input)} → ${number(usage.output)} · `}
          {date(time, { hour: '2-digit', minute: '2-digit', second: '2-digit' })}
        </span>
      </span>
    </Link>
  )
}

function CallNames({
  request: { calls, callNames, tools },
}: {
  readonly request: GatewayRequest
}): ReactNode {
  const { t, number } = useWords()
  if (calls === 0)
    return tools === 0 ? null : (
      <span className="text-ink-3">{t('gateway.row.tools', { count: tools })}</span>
    )
  const shown = callNames.slice(0, MAX_NAMES)
  return (
    <>
      {shown.map((name, at) => (
        <Chip tone="call" mono className="block max-w-40 min-w-0 truncate leading-[19px]" key={at}>
          <VisibleText text={name} />
        </Chip>
      ))}
      {calls > shown.length && (
        <span className="text-ink-3">
          {t('gateway.row.more', { count: number(calls - shown.length) })}
        </span>
      )}
    </>
  )
}
