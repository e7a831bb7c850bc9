import {
  type Answers,
  type Question,
  tool,
  type Tool,
  ToolError,
  Unanswered,
} from '@toolglot/agent'
import { timeLimit } from '@toolglot/agent/internal'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import { unlessAborted } from '../host/unless-aborted.ts'

const option = z.strictObject({
  label: z.string().min(1).describe('What is chosen, in one to five words'),
  description: z.string().describe('What choosing it means'),
  preview: z.string().optional().describe('Markdown that shows what it would look like'),
})

/** What is said of lengths binds only where it is strict. */
const parametersFor = (strict: boolean) => {
  const question = z.strictObject({
    question: z.string().min(1).describe('The whole question, as it is put to the person'),
    header: (strict ? z.string().min(1).max(12) : z.string()).describe(
      'A short label for it, at most 12 characters',
    ),
    options: (strict ? z.array(option).min(2).max(4) : z.array(option)).describe(
      'Two to four answers to choose from; "Other" is always offered beside them',
    ),
    multiSelect: z.boolean().optional().describe('Several may be chosen; false if left out'),
  })
  return z.strictObject({
    questions: z
      .array(question)
      .min(1)
      .max(4)
      .refine(areDifferent, 'Expected different questions, each with different labels.')
      .describe('One to four questions'),
  })
}

export interface AskUserQuestionArguments {
  readonly questions: readonly Question[]
}

export interface AskUserQuestionResult {
  /** By the text of the question; a list where several may be chosen. */
  readonly answers: Answers
  /** The questions that were left open. */
  readonly unanswered?: readonly string[]
}

export interface AskUserQuestionOptions {
  /** How long to wait for an answer, in milliseconds; for ever, if it is left out. */
  readonly timeout?: number
  /** Whether a long header, or fewer or more options, are refused; true, if it is left out. */
  readonly strict?: boolean
}

/** Asks a person. Nothing but that person ever answers. */
export function askUserQuestionTool(
  host: Pick<Host, 'ask'>,
  { timeout, strict = true }: AskUserQuestionOptions = {},
): Tool<AskUserQuestionArguments, AskUserQuestionResult> {
  return tool({
    name: 'AskUserQuestion',
    description:
      'Ask the person you work for one to four questions, each with two to four answers to choose from. They may always answer in their own words.',
    parameters: parametersFor(strict),
    access: canonicalTools.get('AskUserQuestion')!,
    level: 1,
    waits: true,
    // It ends by itself, with better words.
    ...(timeout === undefined ? {} : { timeout: timeout + 1000 }),

    async execute({ questions }, { signal, ask = host.ask }) {
      if (!ask)
        throw new ToolError(
          'execution_failed',
          'There is nobody to ask here. Decide by yourself, and say in your answer what you assumed.',
          { code: 'nobody_to_ask' },
        )
      const patience = timeLimit(timeout, signal)
      const stop = patience.signal
      try {
        return resultOf(questions, await unlessAborted(stop, ask(questions, stop)))
      } catch (error) {
        signal.throwIfAborted()
        if (stop.aborted)
          throw new ToolError('timeout', `Nobody answered within ${timeout! / 1000} seconds.`, {
            code: 'no_answer',
          })
        if (error instanceof Unanswered) throw denied(error.message)
        throw error
      } finally {
        patience.end()
      }
    },

    show: ({ answers, unanswered = [] }) =>
      [
        ...Object.entries(answers).map(
          ([asked, answer]) => `${asked}\n→ ${[answer].flat().join(', ')}`,
        ),
        ...unanswered.map((asked) => `${asked}\n(not answered)`),
      ].join('\n'),
  })
}

function areDifferent(questions: readonly Question[]): boolean {
  const lists = [questions.map((each) => each.question), ...questions.map(labelsOf)]
  return lists.every((list) => new Set(list).size === list.length)
}

function labelsOf({ options }: Question): string[] {
  return options.map(({ label }) => label)
}

function resultOf(questions: readonly Question[], given: Answers): AskUserQuestionResult {
  const answers: Record<string, string | readonly string[]> = {}
  const unanswered: string[] = []
  for (const { question, multiSelect = false } of questions) {
    const answer = Object.hasOwn(given, question) ? [given[question]!].flat() : []
    const said = answer.filter((each) => each.trim() !== '')
    if (said.length === 0) unanswered.push(question)
    else if (multiSelect) define(answers, question, said)
    else if (said.length === 1) define(answers, question, said[0]!)
    else
      throw new TypeError(`Expected one answer to ${JSON.stringify(question)}, got ${said.length}.`)
  }
  if (unanswered.length === questions.length) throw denied('None of the questions was answered.')
  return unanswered.length > 0 ? { answers, unanswered } : { answers }
}

/** A question may read `__proto__`. */
function define<Value>(object: Record<string, Value>, key: string, value: Value): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function denied(why: string): ToolError {
  return new ToolError(
    'permission_denied',
    `The person did not answer: ${why} Do not ask the same again.`,
    { code: 'denied_by_user' },
  )
}
