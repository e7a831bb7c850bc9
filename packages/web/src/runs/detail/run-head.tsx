import { Link, useNavigate } from '@tanstack/react-router'
import type { RunView } from '@toolglot/react/view'
import type { ApiAnswer } from '@toolglot/server/client'
import { memo, useMemo, type ReactNode, useState } from 'react'
import { useCommands } from '../../app/commands.ts'
import { Keys } from '../../app/keys.tsx'
import type { RunsSearch } from '../../app/router.tsx'
import { runTitle } from '../../app/use-runs.ts'
import { RunProblem } from '../../chat/missing-run.tsx'
import { Icon } from '../../ui/icon.tsx'
import { spellUnseen } from '../../ui/unseen.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { ReasonChip, reasonOf } from '../list/reason-chip.tsx'
import { ForkButton } from './fork-button.tsx'
import { RunFacts } from './run-facts.tsx'
import { useApi } from '../../app/use-api.ts'
import { changedFiles, UndoDialog } from '../../chat/aside/changed-files.tsx'
import { useChatActions } from '../../chat/chat-actions.ts'
import { useDialog } from '../../app/dialogs.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { RUN_HEAD } from '../run-looks.ts'

/** The title, the totals and the actions of a run. */
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
  /** The list parameters of the address. */
  readonly search: RunsSearch
  readonly isReplay: boolean
  /** The selected turn. */
  readonly turn: number | undefined
  /** True if the selected turn is recorded. */
  readonly isComplete: boolean
  /** The turn to fork at while the form is open, in the numbering of forks. */
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
      name: summary?.name === undefined ? undefined : summary.name,
      prompt: first,
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
    <header className={RUN_HEAD}>
      <div className="cluster flex-nowrap phone:flex-wrap [&_.button]:flex-none tablet:[&_.button>span]:sr-only [&_.chip]:flex-none">
        <Link
          className="icon-button icon-button-small hidden phone:inline-grid"
          to="/runs"
          search={search}
          aria-label={t('runs.back')}
        >
          <Icon name="right" className="-scale-x-100" />
        </Link>
        <h2
          className="min-w-[60px] truncate text-14 font-600 phone:max-w-[calc(100%-150px)]"
          title={spellUnseen(title)}
        >
          <VisibleText text={title} />
        </h2>
        <ReasonChip reason={summary ? reasonOf(summary) : (view.end?.reason ?? 'running')} />
        {summary?.imported && (
          <Chip outline title={t('runs.imported.about')}>
            {t('runs.imported')}
          </Chip>
        )}
        <Chip outline mono className="max-[1281px]:hidden">
          <VisibleText text={run} />
        </Chip>
        <span className="min-w-0 flex-1 phone:h-0 phone:basis-full" />
        <Button className="aria-pressed:bg-sel" aria-pressed={isReplay} onClick={onReplay}>
          <Icon name={isReplay ? 'x' : 'redo'} />
          <span>{t(isReplay ? 'runs.replay.end' : 'runs.replay')}</span>
          <Keys keys="r" className="max-[1281px]:hidden" />
        </Button>
        <ForkButton {...{ view, turn, isComplete, isFixed, forkTurn, onFork }} />
        <UndoFiles view={view} isFixed={isFixed} />
        <RunMenu run={run} title={title} name={summary?.name ?? title} />
      </div>
      <RunFacts view={view} className={isReplay ? 'phone:hidden' : ''} />
      {error && <RunProblem error={error} />}
    </header>
  )
})

/** Undoes the file changes of a run. */
function UndoFiles({
  view: { run, facts, state },
  isFixed,
}: {
  readonly view: RunView
  /** True if the run is read-only. */
  readonly isFixed: boolean
}): ReactNode {
  const { t } = useWords()
  const { findCall } = useChatActions()
  const [isAsking, setAsking] = useState(false)
  const { data = [] } = useApi(
    'GET /api/runs/:run/changes',
    { parameters: { run } },
    state === 'working' ? { refetchInterval: 5000 } : {},
  )
  // The dialog stays open after its changes are undone.
  if (isFixed || (data.length === 0 && !isAsking)) return null
  return (
    <>
      <Button look="ghost" onClick={() => setAsking(true)}>
        <Icon name="undo" />
        <span className="phone:sr-only">{t('runs.undo')}</span>
      </Button>
      {isAsking && (
        <UndoDialog
          run={run}
          files={changedFiles(data, facts?.folder, findCall)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** Further actions on a run. */
function RunMenu({
  run,
  title,
  name,
}: {
  readonly run: string
  readonly title: string
  /** Its current name. */
  readonly name: string
}): ReactNode {
  const { t } = useWords()
  const navigate = useNavigate()
  const openDialog = useDialog()
  const [isExporting, setExporting] = useState(false)
  return (
    <>
      <Menu
        align="end"
        label={t('shell.run.more', { title })}
        trigger={<IconButton icon="more" label={t('runs.more')} large />}
        items={[
          {
            label: t('runs.openChat'),
            icon: 'chat',
            run: () => void navigate({ to: '/chats/$run', params: { run } }),
          },
          {
            label: t('runs.rename'),
            icon: 'edit',
            run: () => openDialog({ type: 'rename', run, title: name }),
          },
          { label: t('runs.export'), icon: 'export', run: () => setExporting(true) },
          {
            label: t('runs.delete'),
            icon: 'trash',
            isDanger: true,
            run: () => openDialog({ type: 'delete', run, title }),
          },
        ]}
      />
      {isExporting && <ExportDialog run={run} close={() => setExporting(false)} />}
    </>
  )
}

/** Describes the content of an export before it is saved. */
function ExportDialog({
  run,
  close,
}: {
  readonly run: string
  readonly close: () => void
}): ReactNode {
  const { t } = useWords()
  return (
    <Dialog open onOpenChange={close} title={t('runs.export')}>
      <div className="pane-content">
        <p>{t('runs.export.about')}</p>
        <p className="text-ask">{t('runs.export.secrets')}</p>
        <div className="cluster">
          <a
            className="button button-primary"
            href={`/api/runs/${encodeURIComponent(run)}/export`}
            download={`${run.replaceAll(/[^\w.-]+/g, '-')}.jsonl`}
            onClick={() => setTimeout(close)}
          >
            {t('runs.export.do')}
          </a>
          <Button onClick={close}>{t('shell.cancel')}</Button>
        </div>
      </div>
    </Dialog>
  )
}
