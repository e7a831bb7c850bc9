import type { Chat } from '@toolglot/react'
import {
  type CallPart,
  type RunView,
  type Item,
  callState,
  type Part,
  type TurnItem,
} from '@toolglot/react/view'
import { type RefObject, useMemo, useRef, useState, useEffect } from 'react'
import type { ChatActions } from './chat-actions.ts'
import type { ChatKeys } from './chat-commands.tsx'
import { filesToResend, ownText } from './rows/own-text.ts'
import { type Row, type Unfolded, createRows } from './rows/rows.ts'
import type { TimelineHandle } from './timeline/timeline.tsx'

const known = new WeakMap<TurnItem, TurnItem>()

interface Made {
  readonly items: readonly Item[]
  readonly unfolded: Unfolded
  readonly rows: readonly Row[]
  /** The earliest time to build rows again. */
  readonly nextAt: number
}

/** Building takes long from this time on, in milliseconds. */
const SLOW = 4

/**
 * The pause after building rows, as a multiple of the time it took. Drawing takes longer than
 * building.
 */
const PAUSE = 20

/** The content of a conversation and its actions. */
export interface Conversation {
  readonly rows: readonly Row[]
  readonly unfolded: Unfolded
  /** The key of the message being edited. */
  readonly edited: string | undefined
  readonly actions: ChatActions
  readonly keys: ChatKeys
  readonly timeline: RefObject<TimelineHandle | null>
}

/**
 * Keeps track of unfolded rows and of the message being edited; actions and keys stay the same
 * objects.
 */
export function useConversation(
  chat: Chat,
  {
    isEndSaid,
    isInterrupted,
    ...aside
  }: {
    /** True if the end of the run is already shown elsewhere. */
    readonly isEndSaid: boolean
    /** True if no process executes the run, although it has not ended. */
    readonly isInterrupted: boolean
    readonly show: (turn: number) => void
    readonly toggle: () => void
  },
): Conversation {
  const [unfolded, setUnfolded] = useState<Unfolded>(new Map())
  const [edited, setEdited] = useState<string>()
  const timeline = useRef<TimelineHandle>(null)
  const items = chat.run?.view.items ?? NO_ITEMS
  const shown = useMemo(() => {
    const still = isInterrupted ? afterInterruption(items) : items
    return isEndSaid ? withoutEnd(still) : still
  }, [items, isEndSaid, isInterrupted])
  const rows = useRows(shown, unfolded)
  const latest = useRef({ chat, aside, rows })
  latest.current = { chat, aside, rows }

  const actions = useMemo(
    (): ChatActions => ({
      unfold(key, isUnfolded) {
        if (isUnfolded) timeline.current?.pause()
        setUnfolded((before) => new Map(before).set(key, isUnfolded))
      },
      showTurn: (turn) => latest.current.aside.show(turn),
      edit: setEdited,
      maxResult: () => latest.current.chat.run?.view.facts?.limits?.maxResult,
      async resend(item, words, restoreFiles) {
        const own = ownText(item.text)
        const attachments = filesToResend(own, words).map(
          (file) => ({ type: 'text', ...file }) as const,
        )
        await latest.current.chat.resend(item, {
          prompt: words,
          attachments: attachments.length > 0 ? attachments : undefined,
          restoreFiles: restoreFiles || undefined,
        })
      },
      findCall: (id) => findCall(latest.current.chat.run?.view, id),
      goToCall(id) {
        const row = latest.current.rows.find((each) => holds(each, id))
        if (row) timeline.current?.goTo(row.key)
      },
    }),
    [],
  )
  const keys = useMemo(
    (): ChatKeys => ({
      next: () => timeline.current?.move(1),
      previous: () => timeline.current?.move(-1),
      end: () => timeline.current?.goToEnd(),
      editLast() {
        const row = latest.current.rows.findLast(({ type }) => type === 'prompt')
        if (!row) return
        timeline.current?.show(row.key)
        setEdited(row.key)
      },
      toggleAside: () => latest.current.aside.toggle(),
    }),
    [],
  )
  return { rows, unfolded, edited, actions, keys, timeline }
}

const NO_ITEMS: RunView['items'] = []

function holds(row: Row, id: string): boolean {
  if (row.type === 'call' || row.type === 'ask' || row.type === 'grouped') return row.part.id === id
  return row.type === 'group' && !row.isUnfolded && row.calls.some((call) => call.id === id)
}

const indexes = new WeakMap<RunView['items'], ReadonlyMap<string, CallPart>>()

/** Finds a call. Lookups of several calls share one index. */
function findCall(view: RunView | undefined, id: string): CallPart | undefined {
  if (!view) return undefined
  let calls = indexes.get(view.items)
  if (!calls) indexes.set(view.items, (calls = indexCalls(view.items)))
  return calls.get(id)
}

function indexCalls(items: RunView['items']): ReadonlyMap<string, CallPart> {
  const calls = new Map<string, CallPart>()
  for (const item of items) {
    if (item.type !== 'turn') continue
    for (const part of item.parts) if (part.type === 'call') calls.set(part.id, part)
  }
  return calls
}

/**
 * The rows of a changing conversation. Rows that take long to build are built less often, so the
 * page stays responsive.
 */
function useRows(items: readonly Item[], unfolded: Unfolded): readonly Row[] {
  const makeRows = useMemo(createRows, [])
  const made = useRef<Made>(undefined)
  const [, setRound] = useState(0)
  const now = performance.now()
  const before = made.current
  const isCurrent = before?.items === items && before.unfolded === unfolded
  // The user's own actions take effect at once.
  if (!before || (!isCurrent && (before.unfolded !== unfolded || now >= before.nextAt))) {
    const rows = makeRows(items, unfolded)
    const took = performance.now() - now
    made.current = { items, unfolded, rows, nextAt: took > SLOW ? now + took * PAUSE : 0 }
  }
  const { rows, nextAt, ...shown } = made.current!
  const isLate = shown.items !== items
  useEffect(() => {
    if (!isLate) return
    const timer = setTimeout(() => setRound((round) => round + 1), nextAt - performance.now())
    return () => clearTimeout(timer)
  }, [isLate, nextAt])
  return rows
}

/**
 * A conversation that does not continue on its own: its unfinished items are stopped, with an
 * unknown outcome.
 */
export function afterInterruption(items: readonly Item[]): readonly Item[] {
  const at = items.findLastIndex(({ type }) => type === 'turn')
  const turn = items[at]
  if (turn?.type !== 'turn' || !(turn.isOpen || turn.parts.some(isUnfinished))) return items
  let ended = known.get(turn)
  if (!ended) known.set(turn, (ended = { ...turn, isOpen: false, parts: turn.parts.map(endOf) }))
  return items.with(at, ended)
}

function isUnfinished(part: Part): part is CallPart {
  if (part.type !== 'call') return false
  const state = callState(part)
  return state === 'running' || state === 'writing'
}

function endOf(part: Part): Part {
  if (!isUnfinished(part)) return part
  // Its duration is unknown.
  const outcome = { text: '', started: null, duration: 0 } as const
  return callState(part) === 'running'
    ? { ...part, outcome: { ...outcome, status: 'unknown', mayHaveChanged: true } }
    : { ...part, outcome: { ...outcome, status: 'cut_off' } }
}

/**
 * A conversation without its end and without warnings that repeat it. Items before the end stay.
 */
export function withoutEnd(items: readonly Item[]): readonly Item[] {
  const end = items.at(-1)
  if (end?.type !== 'end') return items
  let length = items.length - 1
  for (; length > 0; length--) {
    const item = items[length - 1]!
    if (item.type !== 'notice' || item.notice.type !== 'warning') break
    if (item.notice.message !== end.error) break
  }
  return items.slice(0, length)
}
