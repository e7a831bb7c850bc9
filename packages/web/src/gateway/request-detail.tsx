import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords, type Translate } from '../words/words.ts'
import { type GatewayRequest, listAddress } from './fold-requests.ts'
import { OutcomeChip } from './outcome-mark.tsx'
import { useFormat } from '../chat/format.ts'
import { chipClass } from '../ui/chip.tsx'

/** All details of a request. */
export function RequestDetail({ request }: { readonly request: GatewayRequest }): ReactNode {
  const { t, date, number } = useWords()
  const { calls, callNames, repairs, error, message, notes, retries, malformed, client } = request
  const text = (value: string): ReactNode => (
    <span className="font-mono text-12">
      <VisibleText text={value} />
    </span>
  )
  return (
    <article aria-label={t('gateway.detail')}>
      <header className="toolbar bg-panel">
        <Link
          to="/gateway"
          search={listAddress}
          className="icon-button icon-button-small"
          aria-label={t('gateway.back')}
          title={t('gateway.back')}
        >
          <Icon name="x" />
        </Link>
        <h2 className="font-580">
          {date(request.time, { dateStyle: 'medium', timeStyle: 'medium' })}
        </h2>
        <span className="min-w-0 flex-1" />
        <OutcomeChip outcome={request.outcome} />
      </header>
      <div className="pane-content gap-4">
        {error !== undefined && (
          <section className="verdict verdict-no items-start gap-1.5">
            <Icon name="hand" />
            <p className="min-w-0 wrap-anywhere">
              <b className="font-mono">
                <VisibleText text={error} />
              </b>
              {message !== undefined && (
                <>
                  <br />
                  <VisibleText text={message} />
                </>
              )}
            </p>
          </section>
        )}
        <RequestFigures request={request} />
        <dl className="grid gap-[5px]">
          <Fact name={t('gateway.detail.api')}>{text(request.api)}</Fact>
          <Fact name={t('gateway.detail.client')}>
            {client === undefined ? (
              t('gateway.detail.unknownClient')
            ) : (
              <VisibleText text={client} />
            )}
          </Fact>
          <Fact name={t('gateway.detail.token')}>{text(request.token)}</Fact>
          {request.requestedModel !== undefined && (
            <Fact name={t('gateway.detail.requested')}>{text(request.requestedModel)}</Fact>
          )}
          {request.usedModel !== undefined && (
            <Fact name={t('gateway.detail.used')}>{text(request.usedModel)}</Fact>
          )}
          {request.protocol !== undefined && (
            <Fact name={t('gateway.detail.protocol')}>
              {text(request.protocol)}
              {request.protocol === 'native' && ` (${t('gateway.detail.native')})`}
            </Fact>
          )}
          <Fact name={t('gateway.detail.reply')}>
            {t(request.stream ? 'gateway.detail.streamed' : 'gateway.detail.whole')}
          </Fact>
          <Fact name={t('gateway.detail.tools')}>{number(request.tools)}</Fact>
          {malformed > 0 && <Fact name={t('gateway.detail.malformed')}>{number(malformed)}</Fact>}
          {retries > 0 && <Fact name={t('gateway.detail.retries')}>{number(retries)}</Fact>}
        </dl>
        <List name={t('gateway.detail.calls')} none={t('gateway.detail.noCalls')}>
          {callNames.map((name, at) => (
            <li key={at} className={chipClass({ tone: 'call', mono: true, className: WRAPPED })}>
              <VisibleText text={name} />
            </li>
          ))}
          {calls > callNames.length && (
            <li className="text-ink-3">
              {t('gateway.detail.moreCalls', { count: number(calls - callNames.length) })}
            </li>
          )}
        </List>
        {calls > 0 && (
          <List name={t('gateway.detail.repairs')} none={t('gateway.detail.noRepairs')}>
            {repairs.map(({ name, count }) => (
              <li key={name} className={chipClass({ tone: 'ask', mono: true, className: WRAPPED })}>
                <VisibleText text={name} />
                {count > 1 && ` ×${number(count)}`}
              </li>
            ))}
          </List>
        )}
        {notes.length > 0 && (
          <section className="grid min-w-0 gap-1.5">
            <h3 className="label">{t('gateway.detail.notes')}</h3>
            <ul className="grid gap-[3px] wrap-anywhere">
              {notes.map((note) => (
                <li key={note} className="border-l-2 border-line-2 pl-2.5">
                  <VisibleText text={noteText(note, t)} />
                </li>
              ))}
            </ul>
          </section>
        )}
        <p className="text-ink-3">{t('gateway.privacy')}</p>
      </div>
    </article>
  )
}

/** A chip that wraps. */
const WRAPPED = 'h-auto min-h-[19px] wrap-anywhere whitespace-normal'

function Fact({
  name,
  children,
}: {
  readonly name: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="grid grid-cols-[128px_minmax(0,1fr)] gap-2.5">
      <dt className="text-ink-3">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

function List({
  name,
  none,
  children,
}: {
  readonly name: string
  readonly none: string
  readonly children: readonly ReactNode[] | ReactNode
}): ReactNode {
  const isEmpty = [children].flat(2).every((child) => child === false || child === null)
  return (
    <section className="grid min-w-0 gap-1.5">
      <h3 className="label">{name}</h3>
      {isEmpty ? (
        <p className="text-ink-2">{none}</p>
      ) : (
        <ul className="flex flex-wrap items-center gap-[5px]">{children}</ul>
      )}
    </section>
  )
}

/**
 * The description of a change that the gateway made to a request. Unknown ones are shown unchanged.
 */
function noteText(note: string, t: Translate): string {
  if (note.startsWith('dropped:')) return t('gateway.note.dropped', { what: note.slice(8) })
  if (note.startsWith('retry:')) return t('gateway.note.retry', { why: note.slice(6) })
  switch (note) {
    case 'tools-compact':
      return t('gateway.note.compact')
    case 'refused-call':
      return t('gateway.note.refusedCall')
    case 'forged-result':
      return t('gateway.note.forged')
    case 'call_left_as_text':
      return t('gateway.note.leftAsText')
    default:
      return note
  }
}

/** The tokens and the duration of a request. The duration of an open request keeps counting. */
function RequestFigures({
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
      <div className="grid grid-cols-4 gap-px overflow-hidden rounded-md border border-line bg-line phone:grid-cols-2">
        {figures.map(([figure, name]) => (
          <div key={name} className="bg-panel px-[9px] py-[7px]">
            <b className="block text-14 font-580 tabular-nums">{figure ?? '—'}</b>
            <span className="text-11 text-ink-3">{name}</span>
          </div>
        ))}
      </div>
      {usage?.estimated && <p className="text-ink-3">{t('gateway.detail.estimated')}</p>}
    </>
  )
}
