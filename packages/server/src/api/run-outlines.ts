import type { RunEvent } from '@toolglot/agent'
import { BoundedMap } from '@toolglot/agent/adapter/internal'
import { type Journal, runStatistics, type RunSummary } from '@toolglot/agent/journal'
import { visitEvents } from './read-records.ts'

/**
 * The kind of a piece of a run: a segment of the model's text, or a call that is waiting for a
 * person.
 */
export type OutlineKind = 'text' | 'reasoning' | 'call' | 'malformed' | 'made-up' | 'waiting'

/** The outline of a run. */
export interface RunOutline {
  /** The names of the called tools. */
  readonly tools: readonly string[]
  /** The models that wrote something, named as in the statistics. */
  readonly models: readonly string[]
  /** The protocols that were used. */
  readonly protocols: readonly string[]
  /** The run's replies by kind of segment, to scale: at most 24 pieces. */
  readonly strip: readonly { readonly kind: OutlineKind; readonly length: number }[]
}

/** Cached outlines of runs. An outline is rebuilt when its run changes. */
export interface RunOutlines {
  of(summary: RunSummary, signal?: AbortSignal): Promise<RunOutline>
}

/** The maximum size of the cache, in characters: enough for several thousand runs. */
const MAX_KEPT = 8 << 20
const MAX_PIECES = 24

/** Creates a cache of outlines for the runs of a journal. */
export function createRunOutlines(journal: Pick<Journal, 'read'>): RunOutlines {
  const kept = new BoundedMap<RunOutline>(MAX_KEPT)
  return {
    async of(summary, signal) {
      const { run, last, turns, state } = summary
      const key = JSON.stringify([run, last, turns, state])
      const known = kept.get(key)
      if (known) return known
      const records = await journal.read(run)
      const sketch = createSketch()
      await visitEvents(summary, records, { visit: sketch.add, signal })
      const { models, protocols } = runStatistics(records)
      const outline: RunOutline = {
        ...sketch.result(),
        models: models.map(({ name }) => name),
        protocols: protocols.map(({ name }) => name),
      }
      // A running run may record more in the same millisecond.
      if (state !== 'running') kept.set(key, outline, JSON.stringify(outline).length)
      return outline
    },
  }
}

/** Builds an outline from the events of a run, one by one. */
function createSketch(): {
  readonly add: (event: RunEvent) => void
  readonly result: () => Pick<RunOutline, 'tools' | 'strip'>
} {
  const tools = new Set<string>()
  const pieces: { kind: OutlineKind; length: number }[] = []
  const waiting = new Map<string, { kind: OutlineKind }>()
  const calls = new Map<string, { kind: OutlineKind }>()
  const draw = (kind: OutlineKind, length: number): { kind: OutlineKind } => {
    const piece = { kind, length: Math.max(1, length) }
    pieces.push(piece)
    return piece
  }
  const add = (event: RunEvent): void => {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        if (event.delta.trim() !== '') draw(event.type, event.delta.length)
        break
      case 'call-end':
        tools.add(event.call.name)
        calls.set(event.call.id, draw('call', event.call.raw?.length ?? 0))
        break
      case 'malformed':
        draw('malformed', event.raw.length)
        break
      case 'result':
        draw('made-up', event.raw.length)
        break
      case 'approval-request':
      case 'question': {
        const id = event.type === 'question' ? event.call : event.request.call
        const piece = calls.get(id)
        if (piece) waiting.set(id, piece)
        break
      }
      case 'approval':
        waiting.delete(event.approval.call)
        break
      case 'answer':
      case 'tool-end':
        waiting.delete(event.call)
        break
      default:
    }
  }
  const result = (): ReturnType<ReturnType<typeof createSketch>['result']> => {
    for (const piece of waiting.values()) piece.kind = 'waiting'
    return { tools: [...tools].sort(), strip: joined(pieces) }
  }
  return { add, result }
}

/** Joins neighbors if there are too many pieces. The longest one determines the kind. */
function joined(pieces: RunOutline['strip']): RunOutline['strip'] {
  const total = pieces.reduce((sum, { length }) => sum + length, 0)
  const smallest = pieces.length > MAX_PIECES ? total / MAX_PIECES : 0
  const result: { kind: OutlineKind; length: number }[] = []
  let longest = 0
  for (const { kind, length } of pieces) {
    const last = result.at(-1)
    if (!last || last.length >= smallest) {
      result.push({ kind, length })
      longest = length
      continue
    }
    if (length > longest) last.kind = kind
    longest = Math.max(longest, length)
    last.length += length
  }
  return result
}
