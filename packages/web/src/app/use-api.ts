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

/** Queries an endpoint and returns its answer; queries again when a related answer changes. */
export function useApi<Name extends Get>(
  name: Name,
  input: Input<Name>,
  options: {
    readonly enabled?: boolean
    /** The polling interval in milliseconds; may depend on the last answer. */
    readonly refetchInterval?: number | ((last: ApiAnswer<Name> | undefined) => number)
    readonly staleTime?: number
    /** Keeps the previous answer while a new query runs. */
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

/** Sends a command to the server, then queries the endpoints in `changes` again. */
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

/** TypeScript cannot relate a generic endpoint to its parameters; the callers have checked them. */
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

/** The server's message about an error. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    const { problems, detail } = error
    return problems.length > 0 ? problems.map(({ problem }) => problem).join('; ') : detail
  }
  return error instanceof Error ? error.message : String(error)
}
