import { useNavigate } from '@tanstack/react-router'
import { useRun } from '@toolglot/react'
import type { Item, RunView, TurnItem, CallPart } from '@toolglot/react/view'
import { ApiError } from '@toolglot/server/client'
import { useCallback, useMemo, useState, type ReactNode, useLayoutEffect, useRef } from 'react'
import type { RunsSearch } from '../../app/router.tsx'
import { useApi } from '../../app/use-api.ts'
import { ChatActionsContext, type ChatActions } from '../../chat/chat-actions.ts'
import { useWords } from '../../words/words.ts'
import { type Replayed, ReplayPane } from '../replay/replay-pane.tsx'
import { changeSearch, type SearchChange, useListSearch } from '../selection.ts'
import { CallPane } from '../turn/call-pane.tsx'
import { PromptPane } from '../turn/prompt-pane.tsx'
import { ReplyPane } from '../turn/reply-pane.tsx'
import { createWaterfall } from '../waterfall/rows.ts'
import { Waterfall } from '../waterfall/waterfall.tsx'
import { DetailSkeleton, NoRun } from './no-run.tsx'
import { RunHead } from './run-head.tsx'
import { RUN } from '../run-looks.ts'
import { TurnPane } from '../turn/turn-pane.tsx'

/** The interval for checking that a process still executes the run, in milliseconds. */
const EVERY = 5000

/** A recorded run: its turns and calls over time, each prompt and reply, and its replay. */
export function RunDetail({
  run,
  search,
}: {
  readonly run: string
  readonly search: RunsSearch
}): ReactNode {
  const { t } = useWords()
  const navigate = useNavigate()
  const { view, error } = useRun(run)
  const { data: record } = useApi(
    'GET /api/runs/:run',
    { parameters: { run } },
    view.state === 'working' || view.state === 'waiting' ? { refetchInterval: EVERY } : {},
  )
  const go = useCallback(
    (change: SearchChange, replace = false) =>
      void navigate({
        to: '/runs/$run',
        params: { run },
        search: (before: RunsSearch) => changeSearch(before, change),
        replace,
      }),
    [navigate, run],
  )
  const [forkTurn, setForkTurn] = useState<number>()
  const [replayed, setReplayed] = useState<Replayed>()
  const [plays, setPlays] = useState(false)
  const actions = useRunActions(view, go, setForkTurn)
  const isReplay = search.at !== undefined
  const onReplay = useCallback(() => {
    setPlays(true)
    go({ at: isReplay ? undefined : 0 })
  }, [go, isReplay])

  const { items } = view
  const list = useListSearch(search)
  const selected = useMemo(
    () => selectionIn(items, search.turn, search.call),
    [items, search.turn, search.call],
  )
  const waterfall = useMemo(createWaterfall, [])
  const rows = useMemo(
    () => waterfall(items, selected.call?.id, nowOf(view)),
    [waterfall, items, selected.call?.id, view],
  )
  const turns = useMemo(() => items.filter(isComplete).map(({ turn }) => turn), [items])

  const isGone = error instanceof ApiError && error.status === 404
  if (isGone || (error && items.length === 0))
    return <NoRun run={run} error={isGone ? undefined : error} search={search} />
  if (items.length === 0 && view.facts === undefined) return <DetailSkeleton />
  const { item, call } = selected
  // Actions on a turn apply to the displayed one.
  const shown = (isReplay ? items.find(({ id }) => id === replayed?.turn) : undefined) ?? item
  const shownTurn = shown?.type === 'turn' ? shown : undefined
  return (
    <ChatActionsContext value={actions}>
      <div
        className={`${RUN} grid grid-rows-[auto_auto_minmax(0,1fr)] ${isReplay ? 'phone:grid-rows-[auto_minmax(0,1fr)]' : 'phone:block phone:overflow-auto'}`}
      >
        <RunHead
          {...{ view, record, error, isReplay, onReplay }}
          search={list}
          turn={shownTurn?.turn}
          isComplete={shownTurn !== undefined && isComplete(shownTurn)}
          forkTurn={forkTurn}
          onFork={setForkTurn}
        />
        <Waterfall
          run={run}
          rows={rows}
          search={list}
          selected={isReplay ? replayed?.turn : (call?.id ?? item?.id)}
          isReplay={isReplay}
          time={isReplay ? replayed?.time : undefined}
        />
        {isReplay ? (
          <ReplayPane
            key={plays ? 'plays' : 'shows'}
            {...{ run, go, plays }}
            seq={view.seq}
            at={search.at!}
            onShown={setReplayed}
          />
        ) : item === undefined ? (
          <div className="empty pane-content">
            <p className="text-ink-2">{t('runs.noTurns')}</p>
          </div>
        ) : (
          <div className="grid min-h-0 grid-cols-2 phone:grid-cols-1">
            {call ? (
              <CallPane part={call} onClose={() => go({ call: undefined })} />
            ) : isComplete(item) ? (
              <PromptPane
                run={run}
                turn={item.turn}
                other={search.with !== item.turn ? search.with : undefined}
                turns={turns}
                onCompare={(other) => go({ turn: item.turn, with: other })}
              />
            ) : (
              <Incomplete item={item} />
            )}
            {isComplete(item) && <ReplyPane run={run} item={item} />}
          </div>
        )}
      </div>
    </ChatActionsContext>
  )
}

/** A turn that is not recorded yet has no prompt and no reply to show. */
function Incomplete({ item }: { readonly item: TurnItem }): ReactNode {
  const { t } = useWords()
  return (
    <TurnPane title={t('chat.turn', { number: item.turn + 1 })}>
      <p className="pane-content text-ink-2">
        {t(item.isOpen ? 'runs.turn.open' : 'runs.turn.unfinished')}
      </p>
    </TurnPane>
  )
}

function isComplete(item: Item): item is TurnItem {
  return item.type === 'turn' && !item.isOpen && !item.isUnfinished
}

interface Selection {
  readonly item: TurnItem | undefined
  readonly call: Extract<TurnItem['parts'][number], { type: 'call' }> | undefined
}

/** The turn and call in the address; the first turn by default. */
function selectionIn(
  items: readonly Item[],
  turn: number | undefined,
  call: string | undefined,
): Selection {
  const all = items.filter((item) => item.type === 'turn')
  if (call !== undefined)
    for (const item of all)
      for (const part of item.parts)
        if (part.type === 'call' && part.id === call) return { item, call: part }
  const item = all.find((each) => each.turn === turn) ?? (turn === undefined ? all[0] : all.at(-1))
  return { item, call: undefined }
}

/** Turns and calls in progress last until now. A run that has ended has none. */
function nowOf({ state, items }: RunView): number {
  if (state === 'working' || state === 'waiting') return Date.now()
  const last = items.findLast((item) => item.type === 'turn')
  return last ? last.started + (last.duration ?? 0) : 0
}

/** The actions of conversation rows in a recorded run, which navigate within the run. */
function useRunActions(
  view: RunView,
  go: (change: SearchChange) => void,
  fork: (turn: number) => void,
): ChatActions {
  const latest = useRef(view)
  useLayoutEffect(() => {
    latest.current = view
  })
  return useMemo(
    (): ChatActions => ({
      unfold: () => {},
      showTurn: (turn) => go({ turn, call: undefined, at: undefined }),
      edit(key) {
        const item = latest.current.items.find(({ id }) => id === key)
        if (item?.type === 'prompt') fork(item.turn)
      },
      resend: () => Promise.resolve(),
      maxResult: () => latest.current.facts?.limits?.maxResult,
      findCall: (id) => findCall(latest.current, id),
      goToCall: (id) => go({ call: id, at: undefined }),
    }),
    [go, fork],
  )
}

function findCall({ items }: RunView, id: string): CallPart | undefined {
  for (const item of items) {
    if (item.type !== 'turn') continue
    const part = item.parts.find((each) => each.type === 'call' && each.id === id)
    if (part?.type === 'call') return part
  }
  return undefined
}
