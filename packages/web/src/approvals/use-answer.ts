import { useRunActions, type RunActions } from '@toolglot/react'
import { ApiError } from '@toolglot/server/client'
import { useCallback } from 'react'
import { askState, changeAskState, type Choice } from './ask-state.ts'

/** Sends an answer, and remembers how far it has come. Nothing is sent twice at a time. */
export function useAnswer(run: string, key: string): (choice: Choice) => void {
  const actions = useRunActions(run)
  return useCallback(
    (choice) => {
      const status = askState(run, key).sent?.status
      if (status === 'sending' || status === 'recorded' || status === 'late') return
      changeAskState(run, key, { sent: { choice, status: 'sending' } })
      send(actions, key, choice).then(
        () => changeAskState(run, key, { sent: { choice, status: 'recorded' } }),
        (error: unknown) =>
          changeAskState(run, key, {
            sent: { choice, status: isLate(error) ? 'late' : 'failed', error },
          }),
      )
    },
    [actions, run, key],
  )
}

function send(actions: RunActions, key: string, choice: Choice): Promise<void> {
  switch (choice.type) {
    case 'allow': {
      const { always, network } = choice
      return actions.approve(key, { always, network })
    }
    case 'deny': {
      const { reason, stop } = choice
      return actions.deny(key, { reason: reason || undefined, stop: stop || undefined })
    }
    case 'answer':
      return actions.answer(key, choice.answers)
  }
}

/** Whether nothing waits any more. */
function isLate(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 404 || error.code === 'not_pending'
}
