import type { Chat } from '@toolglot/react'
import type { CallPart, RunView } from '@toolglot/react/view'
import { type RefObject, useMemo, useRef, useState } from 'react'
import type { ChatActions } from './chat-actions.ts'
import type { ChatKeys } from './chat-commands.tsx'
import { afterInterruption } from './rows/after-interruption.ts'
import { filesToResend, ownText } from './rows/own-text.ts'
import type { Row, Unfolded } from './rows/rows.ts'
import { withoutEnd } from './rows/without-end.ts'
import type { TimelineHandle } from './timeline/timeline.tsx'
import { useRows } from './use-rows.ts'

/** What a conversation shows, and what can be done in it. */
export interface Conversation {
  readonly rows: readonly Row[]
  readonly unfolded: Unfolded
  /** The key of the message that is edited. */
  readonly edited: string | undefined
  readonly actions: ChatActions
  readonly keys: ChatKeys
  readonly timeline: RefObject<TimelineHandle | null>
}

/** Keeps what the person has unfolded and edits; actions and keys stay the same objects. */
export function useConversation(
  chat: Chat,
  {
    isEndSaid,
    isInterrupted,
    ...aside
  }: {
    /** Whether something else says how the run ended. */
    readonly isEndSaid: boolean
    /** Whether nobody executes the run, although it has not ended. */
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
          ...(attachments.length > 0 && { attachments }),
          ...(restoreFiles && { restoreFiles }),
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

/** Finds a call. Whoever looks for one often looks for others, too. */
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
