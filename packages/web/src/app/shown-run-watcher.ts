import { useQueryClient } from '@tanstack/react-query'
import { useRun } from '@toolglot/react'
import { useEffect } from 'react'

/**
 * Has the list of runs asked for again whenever the run that is shown begins, waits or ends. A component of its own: it is drawn
 * with every event of the run, and nothing else should be.
 */
export function ShownRunWatcher({ run }: { readonly run: string }): null {
  const queries = useQueryClient()
  const { state } = useRun(run).view
  useEffect(() => {
    if (state === 'new') return
    void queries.invalidateQueries({ queryKey: ['GET /api/runs'] })
  }, [queries, run, state])
  return null
}
