import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useDialog } from '../../app/dialogs.tsx'
import type { RunsSearch } from '../../app/router.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { withoutSelection } from '../selection.ts'

/** There is no run at this address, or it cannot be read. */
export function NoRun({
  run,
  error,
  search,
}: {
  readonly run: string
  /** Why it cannot be read. Without it, there is no run. */
  readonly error: Error | undefined
  readonly search: RunsSearch
}): ReactNode {
  const { t } = useWords()
  const openDialog = useDialog()
  return (
    <div className="run none">
      <div className="empty" role="alert">
        <b>{t(error ? 'runs.unreadable' : 'runs.missing')}</b>
        <p className="dim">
          {error ? <VisibleText text={error.message.slice(0, 1000)} /> : t('runs.missing.about')}
        </p>
        <div className="rowline">
          <Link className="btn" to="/runs" search={withoutSelection(search)}>
            {t('runs.back')}
          </Link>
          {error && (
            <button
              type="button"
              className="btn no"
              onClick={() => openDialog({ type: 'delete', run, title: run })}
            >
              {t('runs.delete')}
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

/** A sketch of a run, until something of it has come. */
export function DetailSkeleton(): ReactNode {
  const { t } = useWords()
  return (
    <div className="run" role="status" aria-busy="true" aria-label={t('shell.loading')}>
      <div className="runhead">
        <div className="skel w-1/3" />
        <div className="skel w-2/3" />
      </div>
      <div className="pad">
        {Array.from({ length: 8 }, (_, at) => (
          <div key={at} className={`skel ${at % 3 === 0 ? 'w-1/2' : 'w-1/3'}`} />
        ))}
      </div>
    </div>
  )
}
