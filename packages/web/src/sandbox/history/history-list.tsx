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

/** The last runs: a click shows one again with its arguments. */
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
      <div className="toolbar [section>&]:min-h-[47px]">
        <h2 className="font-580">{t('sandbox.history')}</h2>
        <span className="min-w-0 flex-1" />
        {runs.length > 0 && (
          <Button look="ghost" small title={t('sandbox.history.clear.about')} onClick={onClear}>
            {t('sandbox.history.clear')}
          </Button>
        )}
      </div>
      {runs.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">{t('sandbox.history.none')}</p>
      ) : (
        <ul aria-label={t('sandbox.history')}>
          {runs.map((run) => (
            <li key={run.id}>
              <button
                type="button"
                className={`grid w-full gap-px border-b border-line px-3.5 py-2 text-left transition-[background] ${run.id === shown ? 'bg-sel shadow-selected' : 'hover:bg-hover'}`}
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
      <span className="flex min-w-0 items-center gap-[7px]">
        <StateIcon tone={tone}>
          <Icon name={icon} />
        </StateIcon>
        <b className="min-w-0 truncate font-mono text-12 font-600">
          <VisibleText text={tool.slice(0, 100)} />
        </b>
        <span className="ml-auto flex-none text-12 text-ink-2 tabular-nums">
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
      <span className="flex min-w-0 items-center gap-[7px] text-12 text-ink-3">
        <span className="min-w-0 truncate font-mono text-[11.5px]">
          <VisibleText text={callSubject(args) ?? JSON.stringify(args).slice(0, 100)} />
        </span>
        <span className="ml-auto flex-none tabular-nums">
          {date(time, isToday ? { timeStyle: 'short' } : { month: 'short', day: 'numeric' })}
        </span>
      </span>
    </>
  )
}
