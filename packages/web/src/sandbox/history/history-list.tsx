import type { ReactNode } from 'react'
import { callSubject } from '../../chat/rows/call-subject.ts'
import { useFormat } from '../../chat/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { STATUS_LOOK } from '../run/execute.ts'
import type { PastRun } from './history.ts'

/** The last runs: a click shows one again, with its arguments. */
export function HistoryList({
  runs,
  shown,
  onPick,
  onClear,
}: {
  readonly runs: readonly PastRun[]
  readonly shown: string | undefined
  readonly onPick: (run: PastRun) => void
  readonly onClear: () => void
}): ReactNode {
  const { t } = useWords()
  return (
    <>
      <div className="bar">
        <h2>{t('sandbox.history')}</h2>
        <span className="grow" />
        {runs.length > 0 && (
          <button
            type="button"
            className="btn ghost sm"
            title={t('sandbox.history.clear.about')}
            onClick={onClear}
          >
            {t('sandbox.history.clear')}
          </button>
        )}
      </div>
      {runs.length === 0 ? (
        <p className="dim none">{t('sandbox.history.none')}</p>
      ) : (
        <ul className="past-runs" aria-label={t('sandbox.history')}>
          {runs.map((run) => (
            <li key={run.id}>
              <button
                type="button"
                className={run.id === shown ? 'on' : ''}
                aria-current={run.id === shown}
                onClick={() => onPick(run)}
              >
                <Row run={run} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Row({ run }: { readonly run: PastRun }): ReactNode {
  const { t, date } = useWords()
  const { duration } = useFormat()
  const { tool, args, status, time } = run
  const { tone, icon } = STATUS_LOOK[status]
  const isToday = new Date(time).toDateString() === new Date().toDateString()
  return (
    <>
      <span className="l1">
        <span className={`st ${tone}`}>
          <Icon name={icon} />
        </span>
        <b className="mono cut">
          <VisibleText text={tool.slice(0, 100)} />
        </b>
        <span className="end dim num">
          {status === 'denied' || status === 'stopped' ? (
            t(`sandbox.status.${status}`)
          ) : (
            <>
              <span className="sr">{t(`sandbox.status.${status}`)} </span>
              {duration(run.duration)}
            </>
          )}
        </span>
      </span>
      <span className="l2">
        <span className="cut mono">
          <VisibleText text={callSubject(args) ?? JSON.stringify(args).slice(0, 100)} />
        </span>
        <span className="end num">
          {date(time, isToday ? { timeStyle: 'short' } : { month: 'short', day: 'numeric' })}
        </span>
      </span>
    </>
  )
}
