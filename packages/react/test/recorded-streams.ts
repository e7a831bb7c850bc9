import { replay, run, type RunEvent, type Tool, tool } from '@toolglot/agent'
import { type Journal, memoryJournal } from '@toolglot/agent/journal'
import { scriptedModel } from '@toolglot/agent/testing'
import fc from 'fast-check'

/** A made-up run: the output of the model, and the actions of people and processes. */
export interface Story {
  readonly turns: readonly (readonly Piece[])[]
  /** The answers of people, in order. With `leave`, there is no answer and the process ends. */
  readonly answers: readonly ('allow' | 'deny' | 'always' | 'leave')[]
  /** The number of characters in each chunk. */
  readonly chunkSize: number
  /** The number of events after which another process continues the run, and its model. */
  readonly breaks: readonly { readonly after: number; readonly model: 'same' | 'other' }[]
  readonly message: boolean
  readonly maxIterations: number
}

type Piece =
  | { readonly type: 'text' | 'think' | 'broken'; readonly text: string }
  | { readonly type: 'call'; readonly name: string; readonly value: string }

/** A run as sent by a server: each recorded event, and the previews after it. */
export interface Stream {
  readonly recorded: readonly RunEvent[]
  /** Keyed by the number of the preceding recorded event, or -1 before the first. */
  readonly previews: ReadonlyMap<number, readonly RunEvent[]>
}

const words = fc.constantFrom('one', 'two three', 'xin chào', '世界 🌏', '<b>', 'a\nb')

export const stories: fc.Arbitrary<Story> = fc.record({
  turns: fc.array(
    fc.array(
      fc.oneof(
        fc.record({
          type: fc.constantFrom('text', 'text', 'think', 'broken'),
          text: words,
        }) as fc.Arbitrary<Piece>,
        fc.record({
          type: fc.constant('call' as const),
          name: fc.constantFrom('look', 'look', 'put', 'put', 'ask', 'plan', 'fail', 'nothing'),
          value: words,
        }),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    { minLength: 1, maxLength: 5 },
  ),
  answers: fc.array(fc.constantFrom('allow', 'deny', 'always', 'leave'), {
    minLength: 1,
    maxLength: 4,
  }),
  chunkSize: fc.constantFrom(3, 7, 40),
  breaks: fc.array(
    fc.record({
      after: fc.integer({ min: 2, max: 40 }),
      model: fc.constantFrom('same', 'other'),
    }),
    { maxLength: 2 },
  ),
  message: fc.boolean(),
  maxIterations: fc.constantFrom(2, 20),
})

/** Executes a story with real runs and returns the stream that a server would send. */
export async function streamOf(story: Story): Promise<Stream> {
  const journal = memoryJournal()
  const previews = new Map<number, RunEvent[]>()
  let asked = 0
  let turn = 0
  const executions = [...story.breaks, { after: Infinity, model: 'same' as const }]
  for (const [at, { after, model }] of executions.entries()) {
    const release = new AbortController()
    const script = Array.from({ length: 60 }, () => () => {
      const pieces = story.turns[turn++]
      return pieces ? pieces.map(write).join('\n') : `Done, ${turn}.`
    })
    let seen = 0
    const events = run({
      id: 'run-1',
      journal,
      model: scriptedModel(script, {
        name: `hermes ${model === 'other' ? at : ''}`,
        chunkSize: story.chunkSize,
      }),
      protocol: 'hermes',
      tools: tools(),
      attended: true,
      release: release.signal,
      confirm: async () => true,
      limits: { maxIterations: story.maxIterations },
      ...(at === 0 ? { prompt: 'Begin.' } : { resume: true, ...again(story, at) }),
    })
    for await (const event of events) {
      if (event.transient) {
        const list = previews.get(event.seq) ?? []
        previews.set(event.seq, [...list, event])
      }
      if (event.type === 'approval-request' || event.type === 'question') {
        const answer = story.answers[asked++ % story.answers.length]!
        // The last process does not wait for an answer. The earlier ones leave by stopping.
        if (answer === 'leave') release.abort()
        else await give(journal, event, answer)
      }
      if (story.message && seen === 5) await journal.send('run-1', 'Also this.').catch(() => {})
      if (++seen === after) release.abort()
    }
  }
  return { recorded: [...replay('run-1', await journal.read('run-1'))], previews }
}

function again({ turns }: Story, at: number): object {
  return turns.length % 2 === at % 2 ? { prompt: `Again ${at}.` } : {}
}

async function give(
  journal: Journal,
  event: Extract<RunEvent, { type: 'approval-request' | 'question' }>,
  answer: 'allow' | 'deny' | 'always',
): Promise<void> {
  const value =
    event.type === 'question'
      ? Object.fromEntries(event.questions.map(({ question }) => [question, 'Tea']))
      : answer === 'always'
        ? { verdict: 'allow', always: true }
        : { verdict: answer }
  await journal.answer('run-1', event.key, value)
}

function write(piece: Piece): string {
  if (piece.type !== 'call') {
    const { type, text } = piece
    if (type === 'text') return text
    if (type === 'think') return `<think>${text}</think>`
    return `<tool_call>\n{"name": "look", "argum ${text}</tool_call>`
  }
  const { name, value } = piece
  return `<tool_call>\n${JSON.stringify({ name, arguments: { value } })}\n</tool_call>`
}

function tools(): Tool[] {
  const make = (
    name: string,
    readOnly: boolean,
    work: (value: string, context: Parameters<Tool['execute']>[1]) => unknown,
  ): Tool =>
    tool({
      name,
      description: `Does ${name}`,
      parameters: {
        type: 'object',
        properties: { value: { type: 'string' } },
        required: ['value'],
        additionalProperties: false,
      },
      readOnly,
      execute: ({ value }, context) => work(String(value), context),
    })
  return [
    make('look', true, (value, context) => {
      context.progress({ type: 'output', stream: 'stdout', text: `looking at ${value}\n` })
      context.progress({ type: 'note', text: 'half' })
      context.progress({ type: 'output', stream: 'stdout', text: 'still looking\n' })
      return `value of ${value}`
    }),
    make('put', false, (value) => `put ${value}`),
    make('ask', true, async (value, { ask, signal }) =>
      JSON.stringify(await ask!([{ question: value, header: 'What', options: [] }], signal)),
    ),
    make('plan', true, (value, context) => {
      context.progress({
        type: 'todo',
        todos: [{ content: value, status: 'pending', activeForm: value }],
      })
      return 'planned'
    }),
    make('fail', true, (value) => {
      throw new Error(`no ${value}`)
    }),
  ]
}
