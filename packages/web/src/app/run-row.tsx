import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { spellUnseen } from '../ui/spell-unseen.ts'
import { useWords } from '../words/words.ts'
import { useDialog } from './dialogs.tsx'
import { RunState } from './run-state.tsx'
import { runName, type RunSummary, runTitle } from './run-title.ts'

/** A run in the list of recent ones, with what can be done to it. */
export function RunRow({
  run,
  isWaiting,
}: {
  readonly run: RunSummary
  readonly isWaiting: boolean
}): ReactNode {
  const { t, date } = useWords()
  const openDialog = useDialog()
  const title = spellUnseen(runTitle(run, t))
  const when = date(run.last, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <li>
      <Link
        to="/chats/$run"
        params={{ run: run.run }}
        search={{}}
        title={[title, when, run.folder].filter((each) => each !== undefined).join('\n')}
      >
        <bdi className="cut grow">{title}</bdi>
        <RunState run={run} isWaiting={isWaiting} />
      </Link>
      <Menu
        align="end"
        label={t('shell.run.more', { title })}
        trigger={
          <button
            type="button"
            className="icon-btn sm more"
            aria-label={t('shell.run.more', { title })}
          >
            <Icon name="more" />
          </button>
        }
        items={[
          {
            label: t('shell.run.rename'),
            icon: 'edit',
            run: () => openDialog({ type: 'rename', run: run.run, title: runName(run) }),
          },
          {
            label: t('shell.run.delete'),
            icon: 'trash',
            isDanger: true,
            run: () => openDialog({ type: 'delete', run: run.run, title }),
          },
        ]}
      />
    </li>
  )
}
