import type { PendingRequest } from '@toolglot/agent/journal'
import { usePending } from '@toolglot/react'
import { isExecution } from './pending-part.ts'

/** What waits in other runs than this one; of all runs, if there is no run. */
export function useElsewhere(run: string | undefined): readonly PendingRequest[] {
  return usePending().pending.filter((request) => request.run !== run && !isExecution(request))
}

/** What a request is about, in a line. */
export function summaryOf(request: PendingRequest): string {
  const text =
    request.type === 'question'
      ? (request.questions[0]?.question ?? '')
      : (request.parts.find(({ verdict }) => verdict === 'ask')?.what ?? '')
  return text === request.tool ? '' : text.slice(0, 200)
}
