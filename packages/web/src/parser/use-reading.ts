import type { ToolDefinition } from '@toolglot/core'
import { startTransition, useEffect, useMemo, useState } from 'react'
import { MAX_COMPARED } from './limits.ts'
import { drawnNow, type ParserState } from './parser-store.ts'
import { type ParserSources, useSources } from './sources.ts'
import { OutdatedError, ParseClient } from './worker/parse-client.ts'
import type { Comparison, Reading, ReadOptions, Reason } from './worker/messages.ts'

/** The reading of the text; until it arrives, that of the previous text. */
export interface ReadState {
  readonly client: ParseClient
  /** The parsed text. */
  readonly text: string
  readonly reading: Reading | undefined
  readonly comparison: Comparison | undefined
  readonly reason: Reason | undefined
  readonly error: string | undefined
  /** True if the protocols are being compared or were. A long text is compared only on request. */
  readonly isCompared: boolean
  /** Requests a comparison, even of a long text. */
  readonly compare: () => void
}

/** The worker, while the Parser is shown. */
export function useParseClient({ startWorker }: ParserSources): ParseClient {
  const client = useMemo(() => new ParseClient(startWorker), [startWorker])
  useEffect(() => () => client.close(), [client])
  return client
}

type Read = Omit<ReadState, 'client' | 'isCompared' | 'compare'>

const NOTHING: Read = {
  text: '',
  reading: undefined,
  comparison: undefined,
  reason: undefined,
  error: undefined,
}

/**
 * Parses the text whenever it or an option changes, then compares and explains it. Waits until
 * `isReady`.
 */
export function useReading(
  client: ParseClient,
  state: ParserState,
  tools: readonly ToolDefinition[] | undefined,
  isReady: boolean,
): ReadState {
  const { readElsewhere } = useSources()
  const { text, protocol, finish, startsInReasoning, chunk } = state
  const drawn = drawnNow(state)
  const options = useMemo(
    (): ReadOptions => ({
      protocol,
      finish,
      startsInReasoning,
      drawn: drawn.trim() !== '' ? drawn : undefined,
      tools,
    }),
    [protocol, finish, startsInReasoning, drawn, tools],
  )
  const [read, setRead] = useState(NOTHING)
  /** The long text that the user asked to compare. */
  const [wanted, setWanted] = useState<string>()
  useEffect(() => {
    if (!isReady) return
    const abort = new AbortController()
    const readText = async (): Promise<void> => {
      const elsewhere =
        protocol.startsWith('own:') && readElsewhere
          ? await readElsewhere(text, options, abort.signal)
          : undefined
      const reading = await client.ask('read', {
        text,
        options,
        chunk,
        elsewhere,
      })
      // Keeps the previous text's comparison until the new one arrives.
      setRead((before) => ({
        ...before,
        ...{ text, reading, error: undefined },
        ...(text === '' && { comparison: undefined }),
        ...(reading.counts.calls > 0 && { reason: undefined }),
      }))
    }
    readText().catch((error: unknown) => {
      if (!abort.signal.aborted) report(error, setRead)
    })
    return () => abort.abort()
  }, [client, text, options, chunk, protocol, readElsewhere, isReady])

  const { reading } = read
  const isCompared = text !== '' && (text.length <= MAX_COMPARED || wanted === text)
  useEffect(() => {
    if (!reading || reading.length === 0) return
    if (!isCompared) {
      setRead((before) => ({ ...before, comparison: undefined, reason: undefined }))
      return
    }
    const about = async (): Promise<void> => {
      const comparison = await client.ask('compare', {})
      // Many strips are drawn at once: typing has priority.
      startTransition(() => setRead((before) => ({ ...before, comparison })))
      if (reading.counts.calls > 0) return
      const reason = await client.ask('explain', {})
      setRead((before) => ({ ...before, reason }))
    }
    about().catch((error: unknown) => report(error, setRead))
  }, [client, reading, isCompared])
  return { ...read, client, isCompared, compare: () => setWanted(text) }
}

function report(error: unknown, setRead: (change: (before: Read) => Read) => void): void {
  if (error instanceof OutdatedError) return
  const message = error instanceof Error ? error.message : String(error)
  setRead((before) => ({ ...before, error: message }))
}
