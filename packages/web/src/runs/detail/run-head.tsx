import { Link } from '@tanstack/react-router'
import type { RunView } from '@toolglot/react/view'
import type { ApiAnswer } from '@toolglot/server/client'
import { memo, useMemo } from 'react'
import type { ReactNode } from 'react'
import { useCommands } from '../../app/commands.ts'
import { Keys } from '../../app/keys.tsx'
import type { RunsSearch } from '../../app/router.tsx'
import { runTitle } from '../../app/run-title.ts'
import { RunProblem } from '../../chat/missing-run.tsx'
import { Icon } from '../../ui/icon.tsx'
import { spellUnseen } from '../../ui/spell-unseen.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { ReasonChip, reasonOf } from '../list/reason-chip.tsx'
import { ForkButton } from './fork-button.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunMenu } from './run-menu.tsx'
import { UndoFiles } from './undo-files.tsx'
import './head.css'

/** What a run is, what it amounts to, and what can be done with it. */
export const RunHead = memo(function RunHead({
  view,
  record,
  search,
  isReplay,
  turn,
  isComplete,
  forkTurn,
  onFork,
  onReplay,
  error,
}: {
  readonly view: RunView
  readonly record: ApiAnswer<'GET /api/runs/:run'> | undefined
  /** What the address says about the list. */
  readonly search: RunsSearch
  readonly isReplay: boolean
  /** The turn that is selected. */
  readonly turn: number | undefined
  /** Whether it is recorded. */
  readonly isComplete: boolean
  /** The turn that somebody wants to fork at, as forks count. */
  readonly forkTurn: number | undefined
  readonly onFork: (turn: number | undefined) => void
  readonly onReplay: () => void
  readonly error: Error | undefined
}): ReactNode {
  const { t } = useWords()
  const { run, items } = view
  const summary = record?.summary
  const first = useMemo(
    () => items.find((item) => item.type === 'prompt')?.text.slice(0, 1000),
    [items],
  )
  const title = runTitle(
    {
      ...(summary?.name !== undefined && { name: summary.name }),
      ...(first !== undefined && { prompt: first }),
    },
    t,
  )
  const isFixed = summary?.imported === true || summary?.state === 'corrupt'
  useCommands([
    {
      id: 'runs.replay',
      label: 'runs.replay',
      group: 'here',
      keys: 'r',
      icon: 'redo',
      run: onReplay,
    },
  ])
  return (
    <header className="runhead">
      <div className="rowline">
        <Link
          className="icon-btn sm phone-only"
          to="/runs"
          search={search}
          aria-label={t('runs.back')}
        >
          <Icon name="right" className="flip" />
        </Link>
        <h2 className="cut" title={spellUnseen(title)}>
          <VisibleText text={title} />
        </h2>
        <ReasonChip reason={summary ? reasonOf(summary) : (view.end?.reason ?? 'running')} />
        {summary?.imported && (
          <span className="chip line" title={t('runs.imported.about')}>
            {t('runs.imported')}
          </span>
        )}
        <span className="chip line mono wide-only">
          <VisibleText text={run} />
        </span>
        <span className="grow" />
        <button type="button" className="btn" aria-pressed={isReplay} onClick={onReplay}>
          <Icon name={isReplay ? 'x' : 'redo'} />
          <span className="wide-only">{t(isReplay ? 'runs.replay.end' : 'runs.replay')}</span>
          <Keys keys="r" />
        </button>
        <ForkButton {...{ view, turn, isComplete, isFixed, forkTurn, onFork }} />
        <UndoFiles view={view} isFixed={isFixed} />
        <RunMenu run={run} title={title} name={summary?.name ?? title} />
      </div>
      <RunFacts view={view} />
      {error && <RunProblem error={error} />}
    </header>
  )
})
