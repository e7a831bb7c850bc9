import type { RunEvent } from '@toolglot/agent'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { runClient } from '../../../test/run-client.ts'
import { call } from '../../../test/scripted-upstream.ts'
import * as routes from '../routes/index.ts'
import { pendingRequest } from './pending-request.ts'
import { recordedTurn } from './recorded-turn.ts'
import { runEvent } from './run-event.ts'

const QUESTION = {
  question: 'Which color?',
  header: 'Color',
  options: [
    { label: 'Red', description: 'Like fire.' },
    { label: 'Blue', description: 'Like water.', preview: '**blue**' },
  ],
  multiSelect: false,
}

const TURNS = [
  [
    '<think>How do I begin?</think>I write a file.',
    call('Write', { file_path: 'a.txt', content: 'text' }),
    call('Write', { file_path: 'b.txt', content: 'text' }),
  ],
  ['<tool_call>{"name": "Write", "arguments": {"file_path": </tool_call>'],
  [call('Read', { file_path: 'missing.txt' }), call('Nothing', {})],
  [call('Bash', { command: 'echo out; echo err >&2; exit 3' })],
  [call('AskUserQuestion', { questions: [QUESTION] })],
  [
    call('TodoWrite', {
      todos: [{ content: 'Go on', status: 'pending', activeForm: 'Going on' }],
    }),
  ],
  [call('Read', { file_path: 'missing.txt' }), call('Read', { file_path: 'missing.txt' })],
]

/** Reads the messages of a stream. */
async function messagesOf(response: Response): Promise<unknown[]> {
  return (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown)
}

/** Fails if a value has fields that the schema lacks: parsing drops them. */
function expectDescribed(schema: z.ZodType, values: readonly unknown[]): void {
  for (const value of values) expect(schema.parse(value)).toEqual(value)
}

test('every event of a run matches its schema exactly', async () => {
  const client = await runClient((_, turn) => TURNS[turn]?.join('\n') ?? 'Done.', {
    settings: { permissions: { allow: ['Bash'] } },
  })
  const { run } = await client.start('Go.', { limits: { maxIterations: 20, maxMalformed: 5 } })
  const parameters = { run }
  const following = client.send(routes.followRun, { parameters }).then(messagesOf)

  const approvals = await client.waiting(run, 2)
  const [one, other] = approvals
  const reason = 'Not this one.'
  await client.call(routes.approveCall, { parameters, body: { key: one!.key, always: 'run' } })
  await client.call(routes.denyCall, { parameters, body: { key: other!.key, reason } })
  const questions = await client.waiting(run)
  const answers = { [QUESTION.question]: 'Red' }
  await client.call(routes.answerQuestions, {
    parameters,
    body: { key: questions[0]!.key, answers },
  })
  const recorded = await client.ended(run)
  const events = (await following) as RunEvent[]

  expect([...approvals, ...questions].map(({ type }) => type)).toEqual([
    'approval',
    'approval',
    'question',
  ])
  expectDescribed(pendingRequest, [...approvals, ...questions])
  expectDescribed(runEvent, events)
  expectDescribed(runEvent, recorded)
  expect(events.filter(({ transient }) => !transient)).toEqual(recorded)
  expect([...new Set(recorded.map(({ type }) => type))].sort()).toEqual([
    'answer',
    'approval',
    'approval-request',
    'call-end',
    'call-start',
    'malformed',
    'prompt',
    'prompt-changed',
    'question',
    'reasoning',
    'run-end',
    'run-start',
    'text',
    'todo',
    'tool-end',
    'tool-start',
    'turn-end',
    'turn-start',
  ])
  expect(recorded.at(-1)).toMatchObject({ type: 'run-end', reason: 'answer' })
  for (const turn of TURNS.keys()) {
    const shown = await client.call(routes.showTurn, { parameters: { run, turn: String(turn) } })
    expectDescribed(recordedTurn, [shown])
  }
})

test('rejects a damaged event', () => {
  const event = { type: 'text', delta: 'a', at: 0, run: 'r', seq: 1, time: 1 }
  expect(runEvent.parse(event)).toEqual(event)
  for (const wrong of [{ delta: 1 }, { type: 'tex' }, { seq: '1' }, { transient: false }])
    expect(runEvent.safeParse({ ...event, ...wrong }).success).toBe(false)
})
