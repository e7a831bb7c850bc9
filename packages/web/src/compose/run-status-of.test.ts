import { defaultLimits, type EndReason, type ToolOutcome } from '@toolglot/agent'
import type { CallPart, Item, RunView } from '@toolglot/react/view'
import { describe, expect, test } from 'vitest'
import {
  isInterrupted,
  isReadOnly,
  LIMIT_REASONS,
  type RunRecord,
  runStatusOf,
} from './run-status-of.ts'

type Seen = Parameters<typeof runStatusOf>[0]

const prompt: Item = { type: 'prompt', id: 'p', text: 'hi', images: 0, time: 0, turn: 0 }
const call = (fields: Partial<CallPart>): CallPart => ({
  type: 'call',
  id: 'c',
  name: 'Bash',
  written: '',
  call: { id: 'c', name: 'Bash', args: {} } as NonNullable<CallPart['call']>,
  ...fields,
})
const turn = (...parts: CallPart[]): Item => ({
  type: 'turn',
  id: 't',
  turn: 0,
  parts,
  started: 0,
  isOpen: false,
})
const unknown = { status: 'unknown', text: '', duration: 0, mayHaveChanged: true } as ToolOutcome

function seen(state: RunView['state'], reason?: EndReason, fields: Partial<Seen> = {}): Seen {
  const end = reason && ({ type: 'end', id: 'e', reason, error: 'what happened' } as const)
  return {
    state,
    items: [prompt],
    end,
    facts: undefined,
    usage: { input: 5, output: 2 },
    ...fields,
  }
}
const record = (
  state: RunRecord['summary']['state'],
  active = false,
  imported = false,
): RunRecord => ({ summary: { state, imported }, active })

describe('reports nothing', () => {
  test.each<[string, Seen, RunRecord | undefined]>([
    ['about a new run', seen('new'), undefined],
    ['about a run that works here', seen('working'), record('running', true)],
    ['while nothing is known', seen('working'), undefined],
    ['about an answer', seen('ended', 'answer'), record('finished')],
    ['about one that waits', seen('waiting'), record('waiting')],
    ['about one that waits in another process', seen('waiting'), record('running')],
    ['when the record is not as new as the view', seen('working'), record('finished')],
    [
      'when it goes on after an interruption',
      seen('ended', 'interrupted'),
      record('running', true),
    ],
  ])('%s', (_, view, known) => {
    expect(runStatusOf(view, known)).toBeUndefined()
  })
})

describe('the reason why a run does not continue', () => {
  test.each<[EndReason, string, boolean]>([
    ['max_iterations', 'continue', false],
    ['max_tool_calls', 'continue', false],
    ['timeout', 'continue', false],
    ['budget', 'continue', false],
    ['malformed', 'continue', true],
    ['loop', 'continue', false],
    ['cancelled', 'continue', false],
    ['denied', 'continue', false],
    ['model_error', 'continue', true],
    ['context_overflow', 'model', true],
    ['storage', 'continue', true],
    ['interrupted', 'continue', false],
  ])('%s: %s', (reason, first, hasDetail) => {
    const status = runStatusOf(seen('ended', reason), record('finished'))
    expect(status).toMatchObject({ reason, unknownOutcomes: [] })
    expect(status?.actions[0]).toBe(first)
    expect(status?.detail).toBe(hasDetail ? 'what happened' : undefined)
    expect(status?.actions.includes('limits')).toBe(LIMIT_REASONS.has(reason as never))
  })

  test('its server has stopped', () => {
    expect(runStatusOf(seen('working'), record('interrupted'))).toMatchObject({
      reason: 'interrupted',
      actions: ['continue'],
    })
    expect(isInterrupted(seen('working'), record('interrupted'))).toBe(true)
    expect(isInterrupted(seen('working'), record('interrupted', true))).toBe(false)
    expect(isInterrupted(seen('ended'), record('interrupted'))).toBe(false)
    expect(isInterrupted(seen('working'), undefined)).toBe(false)
  })

  test('another process executes it', () => {
    expect(runStatusOf(seen('working'), record('running'))).toMatchObject({
      reason: 'elsewhere',
      actions: [],
    })
  })

  test('no process can continue it', () => {
    for (const state of ['working', 'ended', 'waiting'] as const) {
      const view = seen(state, state === 'ended' ? 'answer' : undefined)
      const imported = record('finished', false, true)
      expect(runStatusOf(view, imported)).toMatchObject({ reason: 'imported', actions: ['new'] })
      expect(runStatusOf(view, record('corrupt'))).toMatchObject({ reason: 'corrupt' })
      expect([isReadOnly(imported), isReadOnly(record('corrupt'))]).toEqual([true, true])
    }
    expect([isReadOnly(undefined), isReadOnly(record('interrupted'))]).toEqual([false, false])
  })
})

describe('limits', () => {
  const facts = {
    model: 'm',
    protocol: undefined,
    limits: { ...defaultLimits, runTimeout: 60_000, maxTokens: 1000, maxCost: 2 },
  }

  test.each<[EndReason, number]>([
    ['max_iterations', 25],
    ['max_tool_calls', 100],
    ['timeout', 60_000],
  ])('%s says which', (reason, limit) => {
    const status = runStatusOf(seen('ended', reason, { facts }), undefined)
    expect(status).toMatchObject({ limit })
    expect(status).not.toHaveProperty('limits')
  })

  test('adds the same budget again, since it counts from the start of the run', () => {
    const usage = { input: 900, output: 150, cost: 0.5 }
    expect(runStatusOf(seen('ended', 'budget', { facts, usage }), undefined)?.limits).toEqual({
      maxTokens: 2050,
      maxCost: 2.5,
    })
    expect(runStatusOf(seen('ended', 'budget'), undefined)?.limits).toEqual({})
  })
})

describe('calls with an unknown outcome', () => {
  const unknownOutcomes = (
    items: readonly Item[],
    reason: EndReason | undefined,
    known: RunRecord | undefined,
  ): number | undefined =>
    runStatusOf(seen(reason ? 'ended' : 'working', reason, { items }), known)?.unknownOutcomes
      .length

  test('a stopped call', () => {
    expect(
      unknownOutcomes([prompt, turn(call({ outcome: unknown }))], 'cancelled', undefined),
    ).toBe(1)
  })

  test('a call that was running when the server was killed', () => {
    const items = [prompt, turn(call({ started: 1 }), call({}))]
    expect(unknownOutcomes(items, undefined, record('interrupted'))).toBe(1)
    expect(unknownOutcomes(items, undefined, record('corrupt'))).toBe(1)
    // The run is active.
    expect(unknownOutcomes(items, undefined, record('running', true))).toBeUndefined()
  })

  test.each<[string, readonly Item[]]>([
    ['one that ended later', [turn(call({ outcome: unknown, late: unknown }))]],
    [
      'one that only read',
      [turn(call({ outcome: { status: 'unknown', text: '', duration: 0 } as ToolOutcome }))],
    ],
    ['one that failed', [turn(call({ outcome: { ...unknown, status: 'error' } }))]],
    ['one of an earlier turn', [turn(call({ outcome: unknown })), turn()]],
    ['one before the last message', [turn(call({ outcome: unknown })), prompt]],
  ])('not %s', (_, items) => {
    expect(unknownOutcomes(items, 'cancelled', undefined)).toBe(0)
  })
})
