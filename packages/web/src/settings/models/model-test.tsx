import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '@toolglot/react'
import type { ApiAnswer } from '@toolglot/server/client'
import { useState, type ReactNode } from 'react'
import { useFolder } from '../../folders/use-folder.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { errorText } from '../../app/use-api.ts'
import { ReplyText } from '../../ui/reply-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Spinner } from '../../ui/spinner.tsx'

const UNREAD: readonly never[] = []

/** Requests one call from a model and shows its reply. Stops when unmounted. */
export function ModelTest({
  reference,
  attempt,
  className = 'grid min-w-0 gap-2',
}: {
  readonly reference: string
  readonly attempt: number
  readonly className?: string
}): ReactNode {
  const { t } = useWords()
  const client = useClient()
  const queries = useQueryClient()
  const { folder } = useFolder()
  const [stopped, setStopped] = useState<number>()
  const queryKey = ['model test', reference, folder, attempt]
  const { data, error, isFetching } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      client.request('POST /api/models/test', { body: { folder, model: reference }, signal }),
    enabled: attempt > 0 && stopped !== attempt,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  const stop = (): void => {
    setStopped(attempt)
    void queries.cancelQueries({ queryKey })
  }
  return (
    <section className={className} aria-label={t('settings.models.testOf', { model: reference })}>
      {/* Screen readers announce the progress, not the whole reply. */}
      <div role="status">
        {isFetching ? (
          <div className="cluster">
            <Spinner />
            <span className="min-w-0 flex-1">{t('settings.models.testing')}</span>
            <Button small onClick={stop}>
              {t('shell.stop')}
            </Button>
          </div>
        ) : data ? (
          <Outcome trial={data} />
        ) : error ? (
          <p className="fault">
            <VisibleText text={errorText(error)} />
          </p>
        ) : (
          <p className="text-ink-2">{t('settings.models.stopped')}</p>
        )}
      </div>
      {data && !isFetching && <Details trial={data} />}
    </section>
  )
}

type Trial = ApiAnswer<'POST /api/models/test'>

/** The result of the test, and its duration. */
function Outcome({ trial }: { readonly trial: Trial }): ReactNode {
  const { t, number } = useWords()
  const { understood, but, first, total, perSecond, estimated, repairs } = trial
  const seconds = (time: number): string =>
    number(time / 1000, { style: 'unit', unit: 'second', maximumFractionDigits: 1 })
  return (
    <div className="cluster">
      <Chip tone={understood ? 'ok' : but === undefined ? 'no' : 'ask'}>
        {understood
          ? t('settings.models.understood')
          : but === undefined
            ? t('settings.models.noCall')
            : t('settings.models.understoodBut')}
      </Chip>
      {repairs.length > 0 && (
        <Chip tone="ask">{t('settings.models.repaired', { repairs: repairs.join(', ') })}</Chip>
      )}
      <span className="min-w-0 flex-1" />
      <span className="text-ink-2 tabular-nums">
        {t('settings.models.times', { first: seconds(first), total: seconds(total) })}
        {perSecond > 0 &&
          ` · ${estimated ? '≈ ' : ''}${t('settings.models.speed', { tokens: number(perSecond) })}`}
      </span>
    </div>
  )
}

/** The prompt and the reply. */
function Details({ trial }: { readonly trial: Trial }): ReactNode {
  const { t } = useWords()
  const { but, protocol, by } = trial
  return (
    <>
      {but !== undefined && (
        <p>
          <VisibleText text={but} />
        </p>
      )}
      <p className="text-ink-2">
        {protocol === undefined ? (
          t('settings.models.native')
        ) : (
          <>
            {t('settings.models.askedIn')} <code>{protocol}</code>: {t(`settings.models.by.${by}`)}
          </>
        )}
      </p>
      <ReadReply trial={trial} />
    </>
  )
}

/** A model's reply, colored by the kinds of its pieces. */
function ReadReply({
  trial: { reply, protocol },
}: {
  readonly trial: ApiAnswer<'POST /api/models/test'>
}): ReactNode {
  const { t } = useWords()
  const client = useClient()
  const { folder } = useFolder()
  const { data } = useQuery({
    queryKey: ['read', reply, protocol, folder],
    queryFn: ({ signal }) =>
      client.request('POST /api/parse', {
        body: { folder, text: reply, protocols: [protocol!], tools: [{ name: 'get_weather' }] },
        signal,
      }),
    enabled: protocol !== undefined && reply !== '',
    staleTime: Infinity,
  })
  if (reply === '') return <p className="text-ink-2">{t('settings.models.wroteNothing')}</p>
  return (
    <ReplyText
      content={reply}
      segments={data?.reply.segments ?? UNREAD}
      label={t('settings.models.wrote')}
    />
  )
}
