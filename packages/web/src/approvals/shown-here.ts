import type { PendingRequest } from '@toolglot/agent/journal'
import { usePending } from '@toolglot/react'
import { useEffect, useSyncExternalStore } from 'react'
import { isExecution } from './pending-part.ts'

/** Executions whose cards are shown by the view that started them. */
let shown: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function change(next: ReadonlySet<string>): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Marks an execution as shown by the caller, so that it is not announced elsewhere. */
export function useShownHere(execution: string | undefined): void {
  useEffect(() => {
    if (execution === undefined) return
    change(new Set([...shown, execution]))
    return () => change(new Set([...shown].filter((each) => each !== execution)))
  }, [execution])
}

/** The executions that wait for the user and have no visible card. */
export function useWaitingExecutions(): readonly PendingRequest[] {
  const here = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => shown,
  )
  return usePending().pending.filter((request) => isExecution(request) && !here.has(request.run))
}

/** The number of requests that wait for the user, in all runs and executions. */
export function useWaitingCount(): number {
  return usePending().pending.length
}
