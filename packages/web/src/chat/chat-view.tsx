// Folder: Conversations.
import { useNavigate, useParams, Link } from '@tanstack/react-router'
import { useChat } from '@toolglot/react'
import { ApiError } from '@toolglot/server/client'
import {
  useCallback,
  useState,
  type ReactNode,
  useSyncExternalStore,
  useEffect,
  useMemo,
} from 'react'
import { WaitingBar } from '../approvals/waiting-bar.tsx'
import { Composer } from '../compose/composer.tsx'
import { EmptyChat } from '../compose/empty-chat.tsx'
import { RunStatus } from '../compose/run-status.tsx'
import { useRunRecord } from '../compose/use-run-record.ts'
import { useFolder } from '../folders/use-folder.ts'
import { Aside } from './aside/aside.tsx'
import { ChatActionsContext } from './chat-actions.ts'
import { ChatCommands } from './chat-commands.tsx'
import { MissingRun, RunProblem } from './missing-run.tsx'
import { Timeline } from './timeline/timeline.tsx'
import { useConversation } from './use-conversation.ts'
import type { RunView } from '@toolglot/react/view'
import { runTitle } from '../app/use-runs.ts'
import { useWaitingCount } from '../approvals/shown-here.ts'
import { useWords } from '../words/words.ts'
import { ownText } from './rows/own-text.ts'
import { FindButton, PhoneMenu } from '../app/view-frame.tsx'
import { PhoneFolder } from '../folders/folder-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Chip } from '../ui/chip.tsx'
import { ViewMain, ViewHeader, ViewTitle } from '../app/view-parts.tsx'

/** The state of a media query, and a subscription to its changes. */
interface Media {
  readonly subscribe: (listener: () => void) => () => void
  readonly matches: () => boolean
}

const known = new Map<string, Media>()

/** A conversation, or the start of a new one. */
export function ChatView(): ReactNode {
  const { run } = useParams({ strict: false })
  // The key resets all state between conversations.
  return <OneChat key={run ?? ''} run={run} />
}

function OneChat({ run }: { readonly run: string | undefined }): ReactNode {
  const { folder } = useFolder()
  const navigate = useNavigate()
  const onRun = useCallback(
    (next: string) => void navigate({ to: '/chats/$run', params: { run: next } }),
    [navigate],
  )
  const chat = useChat({ run, onRun })
  const view = chat.run?.view
  const error = chat.run?.error
  const record = useRunRecord(chat)
  const title = useTitle(view, record?.summary.name)

  const hasRoom = useMedia('(min-width: 1081px)')
  const [asideChoice, setAsideChoice] = useState<boolean>()
  const [turn, setTurn] = useState<number>()
  const isAsideOpen = view !== undefined && !error && (asideChoice ?? hasRoom)
  const toggle = (): void => setAsideChoice(!isAsideOpen)
  const show = (next: number): void => {
    setTurn(next)
    setAsideChoice(true)
  }
  const { rows, unfolded, edited, actions, keys, timeline } = useConversation(chat, {
    show,
    toggle,
    // RunStatus shows the end of the run and the available actions.
    isEndSaid: record?.summary.imported !== true,
    isInterrupted:
      view?.end !== undefined ||
      (record?.active === false && record.summary.state === 'interrupted'),
  })

  const isGone = error instanceof ApiError && error.status === 404
  return (
    <ChatActionsContext value={actions}>
      <ViewMain>
        <ChatHeader
          title={title}
          view={view}
          isAsideOpen={isAsideOpen}
          onAside={view && !error ? toggle : undefined}
        />
        <div
          className={`view-body ${isAsideOpen && hasRoom ? 'grid-cols-[minmax(0,1fr)_var(--side-panel)]' : 'grid-cols-1'}`}
        >
          <div className="grid min-h-0 min-w-0 grid-cols-1 grid-rows-[minmax(0,1fr)_auto] low:grid-rows-[minmax(170px,1fr)_auto] low:overflow-auto">
            {view ? (
              error && (isGone || rows.length === 0) ? (
                <MissingRun error={isGone ? undefined : error} />
              ) : (
                <Timeline
                  {...{ view, rows, unfolded, edited }}
                  isBusy={view.state === 'working'}
                  handle={timeline}
                />
              )
            ) : (
              <EmptyChat chat={chat} folder={folder} />
            )}
            {!isGone && (
              <div className="px-6 pb-3.5 phone:px-2.5 phone:pb-2.5">
                <div className="mx-auto max-w-[728px]">
                  {error && rows.length > 0 && <RunProblem error={error} />}
                  <RunStatus chat={chat} />
                  {view && <WaitingBar view={view} />}
                  <Composer chat={chat} folder={folder} />
                </div>
              </div>
            )}
          </div>
          {view && isAsideOpen && (
            <Aside
              view={view}
              turn={turn}
              isSheet={!hasRoom}
              onClose={() => setAsideChoice(false)}
            />
          )}
        </div>
        {view && <ChatCommands keys={keys} />}
      </ViewMain>
    </ChatActionsContext>
  )
}

/** True if a media query currently matches. */
function useMedia(query: string): boolean {
  let media = known.get(query)
  if (!media) known.set(query, (media = createMedia(query)))
  return useSyncExternalStore(media.subscribe, media.matches)
}

function createMedia(query: string): Media {
  const media = matchMedia(query)
  return {
    subscribe(listener) {
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    matches: () => media.matches,
  }
}

/**
 * The title of a conversation: its name, or the start of its first message. It is also the title of
 * the browser tab.
 */
function useTitle(view: RunView | undefined, name: string | undefined): string {
  const { t } = useWords()
  const count = useWaitingCount()
  const prompt = view?.items.find((item) => item.type === 'prompt')?.text
  const title = useMemo(() => {
    if (!view) return t('chat.title')
    return runTitle({ name, prompt: prompt === undefined ? '' : ownText(prompt).words }, t)
    // Only the existence of a run matters here, not its content.
  }, [view !== undefined, name, prompt, t])
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title} · Toolglot`
  }, [title, count])
  return title
}

/** The title of the conversation, with a chip if it waits for the user. */
function ChatHeader({
  title,
  view,
  isAsideOpen,
  onAside,
}: {
  readonly title: string
  readonly view: RunView | undefined
  readonly isAsideOpen: boolean
  /** Undefined if there is no side panel to show. */
  readonly onAside: (() => void) | undefined
}): ReactNode {
  const { t } = useWords()
  const label = t(isAsideOpen ? 'chat.aside.hide' : 'chat.aside.show')
  return (
    <ViewHeader>
      <PhoneMenu />
      <ViewTitle title={title} isTooltip>
        <PhoneFolder />
      </ViewTitle>
      {view && view.waiting.length > 0 && (
        <Chip tone="ask" className="phone:hidden!">
          <Icon name="hand" />
          {t('chat.waits')}
        </Chip>
      )}
      <span className="min-w-0 flex-1" />
      <FindButton />
      {onAside && view && (
        <Link
          className="button button-ghost"
          to="/runs/$run"
          params={{ run: view.run }}
          aria-label={t('runs.timeline')}
          title={t('runs.timeline')}
        >
          <Icon name="runs" />
          <span className="phone:hidden!">{t('runs.timeline')}</span>
        </Link>
      )}
      {onAside && (
        <IconButton
          icon="panel"
          label={label}
          large
          aria-expanded={isAsideOpen}
          title={`${label}  ]`}
          onClick={onAside}
        />
      )}
    </ViewHeader>
  )
}
