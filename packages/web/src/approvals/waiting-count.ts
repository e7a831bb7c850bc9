import { usePending } from '@toolglot/react'

/** How much waits for a person, in all runs and executions. */
export function useWaitingCount(): number {
  return usePending().pending.length
}
