import { CatchBoundary, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { useCommands } from '../app/commands.ts'
import { listKeys } from '../app/list-keys.ts'
import type { RunsSearch } from '../app/router.tsx'
import { ViewFrame } from '../app/view-frame.tsx'
import { useWords } from '../words/words.ts'
import { NoRun } from './detail/no-run.tsx'
import { RunDetail } from './detail/run-detail.tsx'
import { dropProps, ImportButton, useImport } from './import-runs.tsx'
import { RunList, type RunListHandle } from './list/run-list.tsx'
import { FILTERS, SearchBar } from './list/search-bar.tsx'
import { useRunPages } from './list/use-run-pages.ts'
import { withoutSelection } from './selection.ts'
import './runs.css'

/** Recorded runs: a list with search, and what happened in one of them. */
export function RunsView(): ReactNode {
  const { t, number } = useWords()
  const { run } = useParams({ strict: false })
  const search: RunsSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const list = useRef<RunListHandle>(null)
  const pages = useRunPages(search)
  const onFile = useImport()
  const isFiltered =
    search.search !== undefined || FILTERS.some((name) => search[name] !== undefined)
  useCommands([
    ...listKeys('runs', { next: 'runs.key.next', previous: 'runs.key.previous' }, (by) =>
      list.current?.move(by),
    ),
    ...(run === undefined || search.at !== undefined
      ? []
      : [
          {
            id: 'runs.back',
            label: 'runs.key.back',
            group: 'here',
            keys: 'Escape',
            run: () => void navigate({ to: '/runs', search: withoutSelection(search) }),
          } as const,
        ]),
  ])
  return (
    <ViewFrame
      title="view.runs"
      className={`runs ${run === undefined ? '' : 'open'}`}
      about={pages.total === undefined ? undefined : t('runs.kept', { count: number(pages.total) })}
      actions={<ImportButton onFile={onFile} />}
    >
      <div className="runlist" {...dropProps(onFile)}>
        <SearchBar search={search} runs={pages.runs} />
        <RunList {...{ pages, search, isFiltered }} shown={run} handle={list} />
      </div>
      {run === undefined ? (
        <div className="run none" {...dropProps(onFile)}>
          <div className="empty">
            <b>{t('runs.choose')}</b>
            <p className="dim">{t('runs.choose.about')}</p>
          </div>
        </div>
      ) : (
        // If it cannot be drawn, it can be deleted, and the others are still listed.
        <CatchBoundary
          getResetKey={() => run}
          errorComponent={({ error }) => (
            <NoRun
              {...{ run, search }}
              error={error instanceof Error ? error : new Error(String(error))}
            />
          )}
        >
          <RunDetail key={run} run={run} search={search} />
        </CatchBoundary>
      )}
    </ViewFrame>
  )
}
