import { useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useCommands } from '../app/commands.ts'
import { listKeys } from '../app/list-keys.ts'
import { useWords } from '../words/words.ts'
import type { GatewayRequest } from './fold-requests.ts'
import { RequestRow } from './request-row.tsx'

const ROW = 50

/** The latest requests, the newest first. Only those in sight are drawn. */
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
    // Only when another one is chosen: what comes meanwhile moves nothing.
  }, [shown])
  useStayingInPlace(scroll, requests)
  const move = (by: 1 | -1): void => {
    const request = requests[Math.min(Math.max(at + by, 0), requests.length - 1)]
    if (!request) return
    void navigate({
      to: '/gateway',
      search: (search) => ({ ...search, request: request.id }),
      // A key that is held down does not fill the way back.
      replace: at >= 0,
    })
  }
  useCommands(listKeys('gateway', { next: 'gateway.next', previous: 'gateway.previous' }, move))
  return (
    <div className="scroll gw-list" ref={scroll}>
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

/** What is in sight stays where it is while others come above it, unless the newest are in sight. */
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
