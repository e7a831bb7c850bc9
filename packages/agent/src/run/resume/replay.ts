import type { JournalRecord } from '../../journal/journal.ts'
import type { RunEventBody, RunEvent } from '../event.ts'
import type { RunEnd, RunInput, RunSetup } from './history.ts'
import type { ApprovalAnswer } from '../options.ts'
import type { ToolOutcome } from '../calls/tool-outcome.ts'
import { callsOf, type Turn } from '../turn/turn.ts'

/**
 * Reconstructs the events of a run from its records. Each text is one event, and the progress of tools is missing. No
 * model is asked and no tool is run.
 */
export function* replay(run: string, records: readonly JournalRecord[]): Generator<RunEvent> {
  const turns = new Map<string, Turn>()
  let seq = 0
  for (const { key, kind, value, time } of records) {
    if (kind === 'begin' || kind === 'wait') continue
    for (const body of eventsOf(key, value, turns)) yield { ...body, run, seq: seq++, time }
  }
}

function* eventsOf(key: string, value: unknown, turns: Map<string, Turn>): Generator<RunEventBody> {
  const [kind = '', number = '', , call, what] = key.split('/')
  if (kind === 'run') yield* startOf(value as RunSetup, number !== '')
  else if (kind === 'input') yield { type: 'prompt', content: (value as RunInput).message.content }
  else if (kind === 'end') yield { type: 'run-end', ...(value as RunEnd) }
  else if (kind !== 'turn' && kind !== 'final') return
  else if (call === undefined) {
    turns.set(number, value as Turn)
    yield* turnOf(value as Turn, kind === 'turn' ? Number(number) : -1)
  } else if (what === undefined) yield* resultOf(turns.get(number), Number(call), value)
  else if (what === 'approval') yield* approvalOf(turns.get(number), Number(call), value)
}

function* startOf(setup: RunSetup, isResumed: boolean): Generator<RunEventBody> {
  const { model, protocol } = setup
  yield {
    type: 'run-start',
    model,
    protocol: protocol === 'native' ? undefined : protocol,
    resumed: isResumed,
  }
  if (isResumed) return
  for (const message of setup.messages)
    if (message.role === 'user') yield { type: 'prompt', content: message.content }
}

function* turnOf(turn: Turn, number: number): Generator<RunEventBody> {
  yield { type: 'turn-start', turn: number }
  if (turn.thoughts !== undefined) yield { type: 'reasoning', delta: turn.thoughts, at: 0 }
  let index = 0
  for (const segment of turn.segments) {
    const [at, to] = segment.span
    const delta = turn.content.slice(at, to)
    if (segment.type === 'text' || segment.type === 'reasoning')
      yield { type: segment.type, delta, at }
    else if (segment.type === 'malformed') yield segment
    else if (segment.type === 'call') {
      const { call } = segment
      yield { type: 'call-start', index, id: call.id, name: call.name }
      yield { type: 'call-end', index: index++, call }
    }
  }
  yield { type: 'turn-end', turn: number, usage: turn.usage }
}

function* resultOf(turn: Turn | undefined, at: number, value: unknown): Generator<RunEventBody> {
  const recorded = turn && callsOf(turn)[at]
  if (!recorded) return
  const { id: call, name, args } = recorded
  yield { type: 'tool-start', call, name, args }
  yield { type: 'tool-end', call, name, outcome: value as ToolOutcome }
}

function* approvalOf(turn: Turn | undefined, at: number, value: unknown): Generator<RunEventBody> {
  const recorded = turn && callsOf(turn)[at]
  if (!recorded) return
  const { verdict, reason } = value as ApprovalAnswer
  yield {
    type: 'approval',
    approval: {
      run: '',
      call: recorded.id,
      hash: '',
      verdict,
      ...(reason !== undefined && { reason }),
    },
  }
}
