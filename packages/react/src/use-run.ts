import { useMemo, useSyncExternalStore } from 'react'
import { useClient } from './client-context.ts'
import type { CallPart } from './view/run-view.ts'
import type { WatchedRun } from './view/watch-run.ts'
import { watchersOf } from './view/watchers.ts'
import type { ApiInput } from '@toolglot/server/client'

type Answers = ApiInput<'POST /api/runs/:run/answer'>['body']['answers']
type ApproveOptions = Omit<ApiInput<'POST /api/runs/:run/approve'>['body'], 'key'>

/** The actions on a run. The server records them all; only the first answer to a request counts. */
export interface RunActions {
  readonly approve: (key: string, options?: ApproveOptions) => Promise<void>
  /** Denies a call. The reason is shown to the model. */
  readonly deny: (
    key: string,
    options?: { readonly reason?: string; readonly stop?: boolean },
  ) => Promise<void>
  readonly answer: (key: string, answers: Answers) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A live run: its view, the state of the connection, and the possible actions. */
export interface LiveRun extends WatchedRun, RunActions {
  /** The calls that are waiting for a person. */
  readonly waiting: readonly CallPart[]
}

/** Watches a run. It reconnects automatically and shows nothing twice. */
export function useRun(run: string): LiveRun {
  const client = useClient()
  const watched = watchersOf(client).run(run)
  const state = useSyncExternalStore(watched.subscribe, watched.current)
  const actions = useRunActions(run)
  return { ...state, ...actions, waiting: state.view.waiting }
}

/**
 * The actions on a run without watching it. They also work for executions outside a run; pass the
 * execution's id as `run`.
 */
export function useRunActions(run: string): RunActions {
  const client = useClient()
  return useMemo((): RunActions => {
    const parameters = { run }
    return {
      approve: (key, options) =>
        client.request('POST /api/runs/:run/approve', { parameters, body: { key, ...options } }),
      deny: (key, options) =>
        client.request('POST /api/runs/:run/deny', { parameters, body: { key, ...options } }),
      answer: (key, answers) =>
        client.request('POST /api/runs/:run/answer', { parameters, body: { key, answers } }),
      stop: async () => {
        await client.request('POST /api/runs/:run/stop', { parameters })
      },
    }
  }, [client, run])
}
