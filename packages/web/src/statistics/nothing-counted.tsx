import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { ClearButton } from './filter-bar.tsx'
import type { StatisticsState } from './use-statistics.ts'

/** There is nothing to count: what to do. */
export function NothingCounted({ state }: { readonly state: StatisticsState }): ReactNode {
  const { t } = useWords()
  const { days, isHere } = state.filter
  return (
    <div className="empty st-empty" role="status">
      <Icon name="stats" />
      <b>{t(state.isNarrow ? 'statistics.empty.filtered' : 'statistics.empty')}</b>
      {state.isNarrow ? (
        <ClearButton state={state} />
      ) : (
        <>
          <p className="dim">{t('statistics.empty.how')}</p>
          <p className="st-links">
            <Link
              to="/chat"
              search={({ folder }) => (folder === undefined ? {} : { folder })}
              className="btn pri"
            >
              {t('statistics.empty.chat')}
            </Link>
            <Link
              to="/sandbox"
              search={({ folder }) => (folder === undefined ? {} : { folder })}
              className="btn"
            >
              {t('statistics.empty.sandbox')}
            </Link>
            {(days > 0 || isHere) && (
              <Link to="/statistics" search={{ days: 0 }} className="btn ghost">
                {t('statistics.empty.all')}
              </Link>
            )}
          </p>
        </>
      )}
    </div>
  )
}
