import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useFormat } from '../chat/format.ts'
import { useWords } from '../words/words.ts'
import type { GatewayRequest } from './fold-requests.ts'

/** The tokens and the time of a request. While it is open, its time runs. */
export function RequestFigures({
  request: { usage, firstByte, duration: taken, time, outcome },
}: {
  readonly request: GatewayRequest
}): ReactNode {
  const { t, number } = useWords()
  const { duration } = useFormat()
  const isOpen = outcome === 'open'
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isOpen) return undefined
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [isOpen])
  const figures: readonly (readonly [string | undefined, string])[] = [
    [usage && number(usage.input), t('gateway.detail.input')],
    [usage && number(usage.output), t('gateway.detail.output')],
    [firstByte === undefined ? undefined : duration(firstByte), t('gateway.detail.firstByte')],
    [
      taken === undefined
        ? isOpen
          ? duration(Math.max(0, now - time))
          : undefined
        : duration(taken),
      t('gateway.detail.duration'),
    ],
  ]
  return (
    <>
      <div className="gw-figures">
        {figures.map(([figure, name]) => (
          <div key={name}>
            <b className="num">{figure ?? '—'}</b>
            <span>{name}</span>
          </div>
        ))}
      </div>
      {usage?.estimated && <p className="dim-2">{t('gateway.detail.estimated')}</p>}
    </>
  )
}
