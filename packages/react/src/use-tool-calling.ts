import type { ApiAnswer, ApiInput } from '@toolglot/server/client'
import { useEffect, useMemo, useState } from 'react'
import { useClient } from './client-context.ts'

type Tools = ApiAnswer<'GET /api/tools'>['tools']

/** The tools of a folder, and the actions on them without a model. */
export interface ToolCalling {
  /** Undefined until loaded. */
  readonly tools: Tools | undefined
  readonly error: Error | undefined
  /** Reloads the tools. */
  readonly refresh: () => void
  /** Executes a tool as if a model had called it, with the same checks and permissions. */
  readonly execute: (
    call: ApiInput<'POST /api/tools/execute'>['body'],
  ) => Promise<ApiAnswer<'POST /api/tools/execute'>>
  /** Reads the calls in a model's text. */
  readonly parse: (
    body: ApiInput<'POST /api/parse'>['body'],
  ) => Promise<ApiAnswer<'POST /api/parse'>>
  /** Prints the tools for a prompt in a protocol. */
  readonly prompt: (
    protocol: string,
    body: NonNullable<ApiInput<'POST /api/protocols/:id/prompt'>['body']>,
  ) => Promise<ApiAnswer<'POST /api/protocols/:id/prompt'>>
}

/** Tools without a model: list, execute, parse and print them. */
export function useToolCalling({ folder }: { readonly folder?: string } = {}): ToolCalling {
  const client = useClient()
  const [found, setFound] = useState<Pick<ToolCalling, 'tools' | 'error'>>(NOTHING)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const { signal, abort } = abortable()
    client
      .request('GET /api/tools', { query: folder === undefined ? {} : { folder }, signal })
      .then(
        ({ tools }) => {
          if (!signal.aborted) setFound({ tools, error: undefined })
        },
        (error: unknown) => {
          if (!signal.aborted) setFound({ tools: undefined, error: error as Error })
        },
      )
    return () => {
      abort()
      // Clears the tools of the previous folder.
      setFound(NOTHING)
    }
  }, [client, folder, round])
  const actions = useMemo(
    (): Omit<ToolCalling, 'tools' | 'error'> => ({
      refresh: () => setRound((before) => before + 1),
      execute: (call) =>
        client.request('POST /api/tools/execute', {
          body: { folder, ...call },
        }),
      parse: (body) => client.request('POST /api/parse', { body }),
      prompt: (id, body) =>
        client.request('POST /api/protocols/:id/prompt', { parameters: { id }, body }),
    }),
    [client, folder],
  )
  return { ...found, ...actions }
}

const NOTHING = { tools: undefined, error: undefined }

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
