import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useDialog } from '../../app/dialogs.tsx'
import type { RunsSearch } from '../../app/router.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { withoutSelection } from '../selection.ts'
import { Button } from '../../ui/button.tsx'
import { NO_RUN, RUN, RUN_HEAD } from '../run-looks.ts'

/** Shown if the run does not exist or cannot be read. */
export function NoRun({
  run,
  error,
  search,
}: {
  readonly run: string
  /** Why the run cannot be read. Undefined if it does not exist. */
  readonly error: Error | undefined
  readonly search: RunsSearch
}): ReactNode {
  const { t } = useWords()
  const openDialog = useDialog()
  return (
    <div className={NO_RUN}>
      <div className="empty max-w-[420px]" role="alert">
        <b>{t(error ? 'runs.unreadable' : 'runs.missing')}</b>
        <p className="text-ink-2">
          {error ? <VisibleText text={error.message.slice(0, 1000)} /> : t('runs.missing.about')}
        </p>
        <div className="cluster">
          <Link className="button" to="/runs" search={withoutSelection(search)}>
            {t('runs.back')}
          </Link>
          {error && (
            <Button
              className="text-no"
              onClick={() => openDialog({ type: 'delete', run, title: run })}
            >
              {t('runs.delete')}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

/** A placeholder for a run that is loading. */
export function DetailSkeleton(): ReactNode {
  const { t } = useWords()
  return (
    <div
      className={`${RUN} grid grid-rows-[auto_auto_minmax(0,1fr)] phone:block phone:overflow-auto`}
      role="status"
      aria-busy="true"
      aria-label={t('shell.loading')}
    >
      <div className={RUN_HEAD}>
        <div className="skeleton w-1/3" />
        <div className="skeleton w-2/3" />
      </div>
      <div className="pane-content">
        {Array.from({ length: 8 }, (_, at) => (
          <div key={at} className={`skeleton ${at % 3 === 0 ? 'w-1/2' : 'w-1/3'}`} />
        ))}
      </div>
    </div>
  )
}
