import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ProtocolId } from '@toolglot/core'

/** What belongs to calls as models write them. It is only loaded once somebody wants to see one. */
export interface Printer {
  readonly protocols: readonly string[]
  /** What a model would write. Throws if it could not write that. */
  readonly print: (protocol: string, call: PrintedCall) => string
}

/** A call as it is printed. */
export interface PrintedCall {
  readonly name: string
  readonly args: Record<string, unknown>
}

/** Loads what prints calls. */
export function usePrinter(): UseQueryResult<Printer> {
  return useQuery({
    queryKey: ['printer'],
    queryFn: async (): Promise<Printer> => {
      const { printCall, protocols } = await import('@toolglot/core')
      return {
        protocols: Object.keys(protocols),
        print: (protocol, call) => printCall(protocol as ProtocolId, call),
      }
    },
    staleTime: Infinity,
    gcTime: Infinity,
  })
}
