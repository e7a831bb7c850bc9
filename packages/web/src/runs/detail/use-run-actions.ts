import type { CallPart, RunView } from '@toolglot/react/view'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { ChatActions } from '../../chat/chat-actions.ts'
import type { SearchChange } from '../selection.ts'

/** What calls and rows of a recorded conversation can do: lead to other parts of the run. */
export function useRunActions(
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
