import type { RunEvent } from '@toolglot/agent'
import { BoundedMap } from '@toolglot/agent/adapter/internal'
import { type Journal, runStatistics, type RunSummary } from '@toolglot/agent/journal'
import { visitEvents } from './read-records.ts'

/** The kind of a piece of a run: how the model's text was read, or a call that is waiting for a person. */
export type OutlineKind = 'text' | 'reasoning' | 'call' | 'malformed' | 'made-up' | 'waiting'

/** A run at a glance. */
export interface RunOutline {
  /** The names of the tools that it called. */
  readonly tools: readonly string[]
  /** The models that wrote something, as the statistics name them. */
  readonly models: readonly string[]
  /** The protocols in which something was written. */
  readonly protocols: readonly string[]
  /** Its replies by how they were read, to scale: at most 24 pieces. */
  readonly strip: readonly { readonly kind: OutlineKind; readonly length: number }[]
}

/** Outlines of runs. Each is made once, until something is added to its run. */
export interface RunOutlines {
  of(summary: RunSummary, signal?: AbortSignal): Promise<RunOutline>
}

/** In characters: several thousand runs. */
const MAX_KEPT = 8 << 20
const MAX_PIECES = 24

/** Creates the outlines of the runs of a journal. */
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
      // A run that goes on may do something else in the same millisecond.
      if (state !== 'running') kept.set(key, outline, JSON.stringify(outline).length)
      return outline
    },
  }
}

/** Draws what a run did from its events, one after the other. */
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

/** Joins neighbours where there are too many to be seen. The longest gives the kind. */
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
