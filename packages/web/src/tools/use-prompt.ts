import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ApiAnswer } from '@toolglot/server/client'
import { useClient } from '@toolglot/react'
import { useFolder } from '../folders/use-folder.ts'

/** What a protocol is asked to draw. */
export interface PromptOf {
  readonly protocol: string
  /** Default: the tools that are on. */
  readonly names?: readonly string[]
  readonly call?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
  /** Changes if the tools do. */
  readonly version: number
}

/** What a model reads about tools in a protocol, with its size. */
export function usePrompt({
  protocol,
  names,
  call,
  version,
}: PromptOf): UseQueryResult<ApiAnswer<'POST /api/protocols/:id/prompt'>> {
  const client = useClient()
  const { folder } = useFolder()
  const body = { folder, names, call }
  return useQuery({
    queryKey: ['prompt', protocol, body, version],
    queryFn: ({ signal }) =>
      client.request('POST /api/protocols/:id/prompt', {
        parameters: { id: protocol },
        body,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}
