import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { spellUnseen } from '../ui/spell-unseen.ts'
import { useWords, type Key } from '../words/words.ts'
import { useDialog } from './dialogs.tsx'
import { runName, type RunSummary, runTitle } from './run-title.ts'
import { LIMIT_REASONS } from '../compose/run-status-of.ts'

interface Sign {
  readonly icon?: IconName
  readonly color: string
  readonly words: Key
}

const ANSWERED: Sign = { icon: 'check', color: 'text-ok', words: 'shell.run.answered' }

const WAITING: Sign = { icon: 'hand', color: 'text-ask', words: 'shell.run.waiting' }

const RUNNING: Sign = { color: 'text-call', words: 'shell.run.running' }

const STOPPED: Sign = { icon: 'stop', color: 'text-ink-3', words: 'shell.run.stopped' }

const INTERRUPTED: Sign = { icon: 'q', color: 'text-ask', words: 'shell.run.interrupted' }

const LIMITED: Sign = { icon: 'pause', color: 'text-ask', words: 'shell.run.limited' }

const FAILED: Sign = { icon: 'x', color: 'text-no', words: 'shell.run.failed' }

const LIMITS: ReadonlySet<string> = new Set([...LIMIT_REASONS, 'context_overflow'])

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

function signOf({ state, reason }: RunSummary, isWaiting: boolean): Sign {
  if (isWaiting || state === 'waiting') return WAITING
  if (state === 'running') return RUNNING
  if (state === 'interrupted' || reason === 'interrupted') return INTERRUPTED
  if (state === 'corrupt') return FAILED
  if (reason === 'answer' || reason === undefined) return ANSWERED
  if (reason === 'cancelled' || reason === 'denied') return STOPPED
  return LIMITS.has(reason) ? LIMITED : FAILED
}

/** How far a run is, as a sign with words. */
function RunState({
  run,
  isWaiting,
}: {
  readonly run: RunSummary
  /** Whether it is known to wait for a person. */
  readonly isWaiting: boolean
}): ReactNode {
  const { t } = useWords()
  const { icon, color, words } = signOf(run, isWaiting)
  return (
    <span className={`run-state ${color}`} title={t(words)}>
      {icon ? <Icon name={icon} /> : <span className="spin" />}
      <span className="sr">{t(words)}</span>
    </span>
  )
}
