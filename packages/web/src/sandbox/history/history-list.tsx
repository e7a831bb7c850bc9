import type { ReactNode } from 'react'
import { callSubject } from '../../chat/rows/call-subject.ts'
import { useFormat } from '../../chat/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { STATUS_LOOK } from '../run/execute.ts'
import type { PastRun } from './history.ts'
import { Button } from '../../ui/button.tsx'
import { StateIcon } from '../../ui/state-icon.tsx'

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
      <div className="toolbar">
        <h2>{t('sandbox.history')}</h2>
        <span className="min-w-0 flex-1" />
        {runs.length > 0 && (
          <Button look="ghost" small title={t('sandbox.history.clear.about')} onClick={onClear}>
            {t('sandbox.history.clear')}
          </Button>
        )}
      </div>
      {runs.length === 0 ? (
        <p className="text-ink-2 none">{t('sandbox.history.none')}</p>
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
        <StateIcon tone={tone}>
          <Icon name={icon} />
        </StateIcon>
        <b className="font-mono min-w-0 truncate">
          <VisibleText text={tool.slice(0, 100)} />
        </b>
        <span className="end text-ink-2 tabular-nums">
          {status === 'denied' || status === 'stopped' ? (
            t(`sandbox.status.${status}`)
          ) : (
            <>
              <span className="sr-only">{t(`sandbox.status.${status}`)} </span>
              {duration(run.duration)}
            </>
          )}
        </span>
      </span>
      <span className="l2">
        <span className="min-w-0 truncate font-mono">
          <VisibleText text={callSubject(args) ?? JSON.stringify(args).slice(0, 100)} />
        </span>
        <span className="end tabular-nums">
          {date(time, isToday ? { timeStyle: 'short' } : { month: 'short', day: 'numeric' })}
        </span>
      </span>
    </>
  )
}
