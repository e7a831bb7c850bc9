import type { RunView } from '@toolglot/react/view'
import {
  memo,
  startTransition,
  use,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  useLayoutEffect,
} from 'react'
import { useCommands } from '../../app/commands.ts'
import { errorText } from '../../app/use-api.ts'
import { ShownTime } from '../../chat/calls/elapsed.tsx'
import { ChatActionsContext } from '../../chat/chat-actions.ts'
import { createRows, type Unfolded } from '../../chat/rows/rows.ts'
import { Timeline, type TimelineHandle } from '../../chat/timeline/timeline.tsx'
import { Banner } from '../../ui/banner.tsx'
import type { SearchChange } from '../selection.ts'
import { PlayerBar, usePlayer, type Player } from './player-bar.tsx'
import { useHistory } from './use-history.ts'
import { useNavigate, useRouter } from '@tanstack/react-router'
import type { RunsSearch } from '../../app/router.tsx'

/** The interval for checking the position of the replay, in milliseconds. */
const EVERY = 400

/**
 * During playback, the address is updated less often, because each update redraws its components.
 */
const PLAYING_EVERY = 5

/** The displayed state of a replay. */
export interface Replayed {
  /** In milliseconds since 1970. */
  readonly time: number | undefined
  /** The id of the last turn. */
  readonly turn: string | undefined
}

/** The conversation after a number of events. Requests in it cannot be answered. */
export function ReplayPane({
  run,
  seq,
  at: wanted,
  plays,
  go,
  onShown,
}: {
  readonly run: string
  /** The sequence number of the last event. */
  readonly seq: number
  /** The number of events to show, from the address. */
  readonly at: number
  /** True if playback starts at once. */
  readonly plays: boolean
  readonly go: (change: SearchChange, replace: boolean) => void
  readonly onShown: (shown: Replayed) => void
}): ReactNode {
  const { history, count, isLoading, error } = useHistory(run, seq)
  const player = usePlayer(count, isLoading, wanted, plays)
  const { seek, toggle } = player
  const at = Math.min(player.at, count)
  // The slider moves without waiting for the conversation.
  const shownAt = useDeferredValue(at)
  const view = useMemo(() => history.viewAt(shownAt), [history, shownAt, count])
  const time = history.timeAt(shownAt)
  const turn = view.items.findLast(({ type }) => type === 'turn')?.id
  useEffect(() => startTransition(() => onShown({ time, turn })), [onShown, time, turn])
  useFollowingAddress(player)
  useCommands([
    { id: 'replay.play', label: 'runs.replay.play', group: 'here', keys: 'Space', run: toggle },
    {
      id: 'replay.next',
      label: 'runs.replay.next',
      group: 'here',
      keys: 'ArrowRight',
      repeats: true,
      run: () => seek(at + 1),
    },
    {
      id: 'replay.previous',
      label: 'runs.replay.previous',
      group: 'here',
      keys: 'ArrowLeft',
      repeats: true,
      run: () => seek(at - 1),
    },
    {
      id: 'replay.nextTurn',
      label: 'runs.replay.nextTurn',
      group: 'here',
      keys: 'shift+ArrowRight',
      repeats: true,
      run: () => seek(history.stopFrom(at, 1)),
    },
    {
      id: 'replay.previousTurn',
      label: 'runs.replay.previousTurn',
      group: 'here',
      keys: 'shift+ArrowLeft',
      repeats: true,
      run: () => seek(history.stopFrom(at, -1)),
    },
    {
      id: 'replay.end',
      label: 'runs.replay.end',
      group: 'here',
      keys: 'Escape',
      run: () => go({ at: undefined }, false),
    },
  ])
  return (
    <div className="flex min-h-0 min-w-0 flex-col">
      <ShownTime value={time}>
        <Conversation view={view} isLoading={isLoading} />
      </ShownTime>
      {error && (
        <Banner kind="no" icon="hand">
          {errorText(error)}
        </Banner>
      )}
      <PlayerBar {...{ player, count, isLoading, history }} time={history.timeAt(at)} at={at} />
    </div>
  )
}

const Conversation = memo(function Conversation({
  view,
  isLoading,
}: {
  readonly view: RunView
  readonly isLoading: boolean
}): ReactNode {
  const outer = use(ChatActionsContext)!
  const [unfolded, setUnfolded] = useState<Unfolded>(new Map())
  const handle = useRef<TimelineHandle>(null)
  const makeRows = useMemo(() => createRows(true), [])
  const rows = useMemo(() => makeRows(view.items, unfolded), [makeRows, view, unfolded])
  const actions = useMemo(
    () => ({
      ...outer,
      unfold(key: string, isUnfolded: boolean) {
        if (isUnfolded) handle.current?.pause()
        setUnfolded((before) => new Map(before).set(key, isUnfolded))
      },
    }),
    [outer],
  )
  // Requests that were pending at that time need no answer now.
  const still = useMemo(() => ({ ...view, waiting: [] }), [view])
  // The latest event is at the end, even after moving backwards.
  useEffect(() => handle.current?.goToEnd(), [view])
  return (
    <ChatActionsContext value={actions}>
      <Timeline
        {...{ rows, unfolded, handle }}
        view={still}
        // The run may have been active at that time, but is not now.
        isBusy={isLoading}
        edited={undefined}
      />
    </ChatActionsContext>
  )
})

/** Updates the address with the position: when it rests, and periodically during playback. */
function useFollowingAddress({ at, isPlaying }: Pick<Player, 'at' | 'isPlaying'>): void {
  const router = useRouter()
  const navigate = useNavigate()
  const latest = useRef({ at, isPlaying })
  useLayoutEffect(() => {
    latest.current = { at, isPlaying }
  })
  useEffect(() => {
    const { pathname } = router.latestLocation
    let [sent, seen, ticks] = [latest.current.at, latest.current.at, 0]
    const timer = setInterval(() => {
      const now = latest.current
      const isResting = now.at === seen || (now.isPlaying && ++ticks % PLAYING_EVERY === 0)
      seen = now.at
      if (!isResting || now.at === sent) return
      // The user may have navigated away while the replay is still mounted.
      const { latestLocation: here } = router
      if (here.pathname !== pathname || (here.search as RunsSearch).at === undefined) return
      sent = now.at
      void navigate({
        to: '.',
        search: (before: RunsSearch) => ({ ...before, at: now.at }),
        replace: true,
      })
    }, EVERY)
    return () => clearInterval(timer)
  }, [router, navigate])
}
