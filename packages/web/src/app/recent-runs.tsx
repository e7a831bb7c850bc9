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
import { Spinner } from '../ui/spinner.tsx'
import { SIDE_LINK } from './shell-looks.ts'

const STORED = 'toolglot-recent'

/** The latest runs of all folders or of the selected one, and a link to a new chat. */
export function RecentRuns(): ReactNode {
  const { t } = useWords()
  const { path, search } = useFolder()
  const [isOnlyHere, setOnlyHere] = useState(() => readStored(STORED) === 'folder')
  const runs = useRecentRuns(isOnlyHere ? path : undefined)
  const waiting = useWaitingRuns()
  const onlyHere = t('shell.recent.onlyHere')
  return (
    <>
      <div className="flex items-center gap-0.5 pt-2.5 pr-2.5 pb-0.5 pl-4 text-11 font-560 text-ink-3 tablet:mx-3 tablet:mt-1.5 tablet:justify-center tablet:border-t tablet:border-line tablet:px-0 tablet:py-2">
        <h2 className="min-w-0 flex-1 tablet:hidden">{t('shell.recent')}</h2>
        <IconButton
          icon="folder"
          label={onlyHere}
          className="aria-pressed:bg-sel aria-pressed:text-ink tablet:hidden"
          aria-pressed={isOnlyHere}
          onClick={() => {
            writeStored(STORED, isOnlyHere ? 'all' : 'folder')
            setOnlyHere(!isOnlyHere)
          }}
        />
        <Link
          to="/chat"
          search={search}
          className="icon-button icon-button-small"
          aria-label={t('shell.newChat')}
          title={`${t('shell.newChat')}  ${keyTexts('mod+j', isApple).join(' ')}`}
        >
          <Icon name="plus" />
        </Link>
      </div>
      <ul className="min-h-0 flex-1 overflow-auto px-2 pb-2 tablet:hidden">
        {runs?.map((run) => (
          <RunRow key={run.run} run={run} isWaiting={waiting.has(run.run)} />
        ))}
        {runs?.length === 0 && <li className="px-2 py-1 text-ink-3">{t('shell.recent.none')}</li>}
        {!runs && <li className="skeleton m-2" />}
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

/** A recent run with its menu. */
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
    <li className="group relative flex min-w-0 items-center">
      <Link
        className={`${SIDE_LINK} h-7 gap-2 group-has-data-[state=open]:bg-hover group-has-data-[state=open]:text-ink phone:h-10`}
        to="/chats/$run"
        params={{ run: run.run }}
        search={{}}
        title={[title, when, run.folder].filter((each) => each !== undefined).join('\n')}
      >
        <bdi className="min-w-0 flex-1 truncate">{title}</bdi>
        <RunState run={run} isWaiting={isWaiting} />
      </Link>
      <Menu
        align="end"
        label={t('shell.run.more', { title })}
        trigger={
          <button
            type="button"
            className="icon-button icon-button-small absolute right-0.5 bg-hover opacity-0 group-hover:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100 phone:static phone:bg-transparent phone:opacity-100"
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

/** The state of a run as an icon with a label. */
function RunState({
  run,
  isWaiting,
}: {
  readonly run: RunSummary
  /** True if the run waits for the user. */
  readonly isWaiting: boolean
}): ReactNode {
  const { t } = useWords()
  const { icon, color, words } = signOf(run, isWaiting)
  return (
    <span
      className={`inline-grid flex-none place-items-center [&_svg]:size-3.5 ${color}`}
      title={t(words)}
    >
      {icon ? <Icon name={icon} /> : <Spinner className="size-[11px]" />}
      <span className="sr-only">{t(words)}</span>
    </span>
  )
}
