import {
  keepPreviousData,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import {
  type ApiAnswer,
  type ApiInput,
  type ApiName,
  type Client,
  ApiError,
} from '@toolglot/server/client'
import { useClient } from '@toolglot/react'

type Get = Extract<ApiName, `GET ${string}`>
type Do = Exclude<ApiName, Get>
type Input<Name extends ApiName> =
  object extends ApiInput<Name> ? ApiInput<Name> | void : ApiInput<Name>

/** What the server answers to a question; it is asked again when something changes it. */
export function useApi<Name extends Get>(
  name: Name,
  input: Input<Name>,
  options: {
    readonly enabled?: boolean
    /** How often it is asked again by itself, in milliseconds; may depend on the last answer. */
    readonly refetchInterval?: number | ((last: ApiAnswer<Name> | undefined) => number)
    readonly staleTime?: number
    /** While another question is being answered, the answer to the last one stays. */
    readonly keepsLast?: boolean
  } = {},
): UseQueryResult<ApiAnswer<Name>> {
  const client = useClient()
  const { refetchInterval: interval, keepsLast = false, ...others } = options
  return useQuery({
    queryKey: [name, input ?? {}],
    queryFn: ({ signal }) => ask(client, name, { ...input, signal }),
    ...others,
    ...(keepsLast && { placeholderData: keepPreviousData }),
    ...(interval !== undefined && {
      refetchInterval: ({ state }: { state: { data: ApiAnswer<Name> | undefined } }) =>
        typeof interval === 'number' ? interval : interval(state.data),
    }),
  })
}

/** Something that the server does. Afterwards, the answers of `changes` are asked for again. */
export function useDo<Name extends Do>(
  name: Name,
  changes: readonly Get[] = [],
): UseMutationResult<ApiAnswer<Name>, Error, Input<Name>> {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input<Name>) => ask(client, name, input ?? {}),
    onSettled: () =>
      Promise.all(changes.map((changed) => queries.invalidateQueries({ queryKey: [changed] }))),
  })
}

/** An endpoint whose name is not known here takes what its caller was checked for. */
function ask<Name extends ApiName>(
  client: Client,
  name: Name,
  input: object,
): Promise<ApiAnswer<Name>> {
  return (client as LooseClient).request(name, input) as Promise<ApiAnswer<Name>>
}

interface LooseClient {
  request(name: string, input: object): Promise<unknown>
}

/** What went wrong, in the server's words. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    const { problems, detail } = error
    return problems.length > 0 ? problems.map(({ problem }) => problem).join('; ') : detail
  }
  return error instanceof Error ? error.message : String(error)
}
