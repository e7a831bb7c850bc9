import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useClient } from '@toolglot/react'
import type { ApiAnswer, ApiInput } from '@toolglot/server/client'
import { useEffect, useState } from 'react'
import { useFolder } from '../../folders/use-folder.ts'

/** Whether a call may run, and why. */
export type Explained = ApiAnswer<'POST /api/permit'>
type Question = Omit<ApiInput<'POST /api/permit'>['body'], 'folder'>

/** Asks whether a call may run. Nothing runs. */
export function usePermit(question: Question, enabled = true): UseQueryResult<Explained> {
  const client = useClient()
  const { folder } = useFolder()
  const body = { ...question, folder }
  return useQuery({
    queryKey: ['permit', body],
    queryFn: ({ signal }) => client.request('POST /api/permit', { body, signal }),
    enabled,
    placeholderData: keepPreviousData,
  })
}

/** A value once it has not changed for a moment: nobody wants an answer to every letter. */
export function useSettled<Value>(value: Value, delay = 180): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return settled
}
