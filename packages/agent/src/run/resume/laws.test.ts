import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Content, textOf } from '../../model/chat-message.ts'
import { collectEvents } from '../../../test/collect-events.ts'
import { type Disk, journalOn } from '../../../test/disk.ts'
import { call } from '../../../test/scripted.ts'
import type { JournalRecord } from '../../journal/journal.ts'
import { parseKey } from '../../journal/keys.ts'
import { estimateImageTokens } from '../../model/estimate-tokens.ts'
import { ModelError } from '../../model/model-error.ts'
import type { Model } from '../../model/model.ts'
import { tool, type Tool } from '../../tool/tool.ts'
import type { Approve, RunOptions } from '../options.ts'
import { runs } from '../../../../../tests/helpers/size.ts'

/** The behavior of a scripted model and its environment. */
interface Scenario {
  readonly turns: readonly (readonly ScriptedCall[])[]
  /** The server's number of tokens per character, which differs from the estimate. */
  readonly tokensPerCharacter: number
  readonly contextTokens: number
  /** The size of a result, in words. */
  readonly words: number
  readonly overflowAt: number
  /** A small maximum is followed by a last turn without tools. */
  readonly maxIterations: number
  readonly approvals: readonly ('allow' | 'always' | 'deny')[]
  readonly prompt: Content
}

interface ScriptedCall {
  readonly tool: 'look' | 'put' | 'set' | 'ask' | 'plan' | 'enter'
  readonly key: string
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  turns: fc.array(
    fc.array(
      fc.record({
        tool: fc.constantFrom('look', 'look', 'put', 'set', 'ask', 'plan', 'plan', 'enter'),
        key: fc.constantFrom('a', 'b', 'c'),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    { minLength: 3, maxLength: 8 },
  ),
  tokensPerCharacter: fc.constantFrom(0.05, 0.25, 0.8),
  contextTokens: fc.constantFrom(1200, 2500, 100_000),
  words: fc.constantFrom(3, 200, 300),
  overflowAt: fc.integer({ min: 1, max: 6 }),
  maxIterations: fc.constantFrom(3, 5, 25, 25),
  // An answer to one call may or may not also apply to another pending one, so answers do not mix
  // "always" and "deny".
  approvals: fc
    .constantFrom('always', 'deny')
    .chain((other) => fc.array(fc.constantFrom('allow', other), { minLength: 1, maxLength: 4 })),
  prompt: fc.constantFrom<Content>('BEGIN', [
    { type: 'text', text: 'BEGIN' },
    { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' },
  ]),
})

/**
 * The replies depend only on the messages. As with a real model, the death of a process has no
 * effect.
 */
function modelOf(scenario: Scenario): Model {
  const { turns, tokensPerCharacter, contextTokens, overflowAt, prompt } = scenario
  return {
    name: 'scripted-hermes-3',
    contextTokens: contextTokens + estimateImageTokens(prompt),
    images: true,
    async *reply({ messages }) {
      const all = messages.map(({ content }) => textOf(content)).join('\n')
      const isSummary = all.includes('Summarize the part of a conversation')
      // Compaction removes turns, so the script continues from the highest turn number in the text.
      const turn = Math.max(-1, ...[...all.matchAll(/turn (\d+)\./g)].map(([, n]) => Number(n))) + 1
      if (turn === overflowAt && !isSummary && all.length > 2000)
        throw new ModelError('context_overflow', 'Too long.')
      const calls = turns[turn]
      const text = isSummary
        ? `All until turn ${turn - 1}.`
        : calls
          ? `This is turn ${turn}. ${calls.map(({ tool: name, key }) => call(name, { key })).join('\n')}`
          : 'Done.'
      yield { type: 'text', delta: text }
      yield {
        type: 'usage',
        usage: { input: Math.ceil(all.length * tokensPerCharacter) + 1, output: 5 },
      }
      yield { type: 'finish', finish: 'stop' }
    },
  }
}

/** Tools of all kinds. One has a state, its location, which its results show. */
function toolsOf({ words }: Scenario): Tool[] {
  let place = 'home'
  const make = (
    name: ScriptedCall['tool'],
    kind: Partial<Tool> & { readonly readOnly?: true },
    work: (key: string, context: Parameters<Tool['execute']>[1]) => unknown,
  ): Tool =>
    tool({
      name,
      description: `Does ${name}`,
      parameters: z.strictObject({ key: z.string() }),
      ...kind,
      execute: ({ key }, context) => work(String(key), context),
    } as Parameters<typeof tool>[0]) as Tool
  return [
    make('look', { readOnly: true }, (key) => `${key} from ${place}: ${'word '.repeat(words)}`),
    make('put', {}, (key) => `put ${key} at ${place}`),
    make('set', { idempotent: true }, (key) => `set ${key} at ${place}`),
    make('ask', { readOnly: true }, async (key, { ask, signal }) => {
      const questions = [{ question: key, header: key, options: [] }]
      return JSON.stringify([await ask!(questions, signal), await ask!(questions, signal)])
    }),
    make('plan', { readOnly: true }, (key, context) => {
      const todo = { content: `walk to ${key}`, status: 'pending', activeForm: 'walking' } as const
      context.progress({ type: 'todo', todos: [todo] })
      return 'planned'
    }),
    make(
      'enter',
      {
        resume: (_, remembered) => {
          place = (remembered.get('place') as string | undefined) ?? 'home'
        },
      },
      (key, { remember }) => {
        place = key
        remember!('place', key)
        return `now at ${key}`
      },
    ),
  ]
}

/** The answer depends only on the question. */
function approveIn({ approvals }: Scenario): Approve {
  return async ({ args }) => {
    const answer = approvals[JSON.stringify(args).length % approvals.length]!
    return answer === 'always'
      ? { verdict: 'allow', always: true }
      : { verdict: answer, ...(answer === 'deny' && { reason: 'no' }) }
  }
}

function optionsOf(scenario: Scenario): Omit<RunOptions, 'journal'> {
  return {
    id: 'run-1',
    model: modelOf(scenario),
    tools: toolsOf(scenario),
    prompt: scenario.prompt,
    permissions: { allow: ['set'] },
    approve: approveIn(scenario),
    ask: async ([question]) => ({ [question!.question]: 'yes' }),
    limits: { maxRepeats: 100, maxIterations: scenario.maxIterations },
  }
}

/**
 * The records up to the calls of a turn, without times. Approvals are left out, because they depend
 * on other events while a person is thinking. Calls that run at the same time may end in any order,
 * so they are sorted.
 */
function told(records: readonly JournalRecord[], turn: number): string[] {
  const told: string[] = []
  let calls: { readonly at: number; readonly text: string }[] = []
  for (const { key, kind, value } of records) {
    const text = JSON.stringify([kind, key, withoutTimes(value)])
    const step = parseKey(key)
    if (step?.type === 'approval') continue
    const ofCall = step && 'call' in step ? step : undefined
    if (ofCall?.turn === turn) return told
    if (ofCall) calls.push({ at: ofCall.call, text })
    else {
      told.push(...calls.sort((one, other) => one.at - other.at).map((call) => call.text), text)
      calls = []
    }
  }
  return told
}

/** The keys of the approval requests before a turn. */
function approvalsIn(records: readonly JournalRecord[], turn: number): string[] {
  return records
    .filter(({ key, kind }) => {
      const step = kind === 'wait' ? parseKey(key) : undefined
      return step?.type === 'approval' && step.turn < turn
    })
    .map(({ key }) => key)
}

function withoutTimes(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, each: unknown) => (TIMES.has(name) ? undefined : each)),
  ) as unknown
}

const TIMES = new Set(['started', 'duration', 'firstToken', 'expires'])

async function wholeRun(scenario: Scenario): Promise<readonly JournalRecord[]> {
  const disk: Disk = new Map()
  await collectEvents({ ...optionsOf(scenario), journal: journalOn(disk) })
  return disk.get('run-1')!
}

async function killedRun(
  scenario: Scenario,
  kills: readonly { at: number; when: 'before' | 'after' }[],
): Promise<readonly JournalRecord[]> {
  const disk: Disk = new Map()
  for (const { at, when } of kills) {
    const journal = journalOn(disk, { diesAt: at, when })
    await Promise.race([journal.died, collectEvents({ ...optionsOf(scenario), journal })])
    const records = disk.get('run-1') ?? []
    if (records.some(({ key }) => key === 'end/0')) return records
  }
  await collectEvents({ ...optionsOf(scenario), journal: journalOn(disk) })
  return disk.get('run-1')!
}

test('a resumed run records the same events as an undisturbed one', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenarios,
      fc.array(
        fc.record({
          at: fc.integer({ min: 0, max: 35 }),
          when: fc.constantFrom('before', 'after'),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      async (scenario, kills) => {
        const records = await killedRun(scenario, kills)
        // A call killed in the middle has an unknown outcome, which affects everything after it.
        const lost = records.find(
          ({ key, value }) => parseKey(key)?.type === 'call' && Object(value).status === 'unknown',
        )
        const step = lost && parseKey(lost.key)
        const turn = step && 'turn' in step ? step.turn : -1
        const undisturbed = await wholeRun(scenario)
        expect(told(records, turn)).toEqual(told(undisturbed, turn))
        // There is no request that the undisturbed run did not also make.
        const asked = new Set(approvalsIn(undisturbed, Infinity))
        const asMuch = approvalsIn(records, turn < 0 ? Infinity : turn)
        expect(asMuch.filter((key) => !asked.has(key))).toEqual([])
      },
    ),
    runs(100),
  )
}, 600_000)
