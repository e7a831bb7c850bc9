import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useFolder } from '../folders/use-folder.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useWords, type Key } from '../words/words.ts'
import { keyTexts } from './key-text.ts'
import { isApple } from './keys.tsx'
import { readStored, writeStored } from './stored.ts'
import { useRecentRuns, useWaitingRuns, runName, type RunSummary, runTitle } from './use-runs.ts'
import { Menu } from '../ui/menu.tsx'
import { spellUnseen } from '../ui/unseen.ts'
import { useDialog } from './dialogs.tsx'
import { LIMIT_REASONS } from '../compose/run-status-of.ts'
import { IconButton } from '../ui/icon-button.tsx'

const STORED = 'toolglot-recent'

/** The latest runs, of all folders or of the one that is selected, and the way to a new chat. */
export function RecentRuns(): ReactNode {
  const { t } = useWords()
  const { path, search } = useFolder()
  const [isOnlyHere, setOnlyHere] = useState(() => readStored(STORED) === 'folder')
  const runs = useRecentRuns(isOnlyHere ? path : undefined)
  const waiting = useWaitingRuns()
  const onlyHere = t('shell.recent.onlyHere')
  return (
    <>
      <div className="recent-head">
        <h2 className="grow">{t('shell.recent')}</h2>
        <IconButton
          icon="folder"
          label={onlyHere}
          aria-pressed={isOnlyHere}
          onClick={() => {
            writeStored(STORED, isOnlyHere ? 'all' : 'folder')
            setOnlyHere(!isOnlyHere)
          }}
        />
        <Link
          to="/chat"
          search={search}
          className="icon-btn sm"
          aria-label={t('shell.newChat')}
          title={`${t('shell.newChat')}  ${keyTexts('mod+j', isApple).join(' ')}`}
        >
          <Icon name="plus" />
        </Link>
      </div>
      <ul className="recent">
        {runs?.map((run) => (
          <RunRow key={run.run} run={run} isWaiting={waiting.has(run.run)} />
        ))}
        {runs?.length === 0 && <li className="dim-2 none">{t('shell.recent.none')}</li>}
        {!runs && <li className="skel m-2" />}
      </ul>
    </>
  )
}

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
function RunRow({
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
