import {
  type Answers,
  type Question,
  tool,
  type Tool,
  ToolError,
  Unanswered,
} from '@toolglot/agent'
import { timeLimit, unlessAborted } from '@toolglot/agent/internal'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'

const option = z.strictObject({
  label: z.string().min(1).describe('The choice, in one to five words.'),
  description: z.string().describe('Explanation of the choice.'),
  preview: z.string().optional().describe('Markdown preview of the choice.'),
})

/** Limits on lengths are enforced only if `strict`. */
const parametersFor = (strict: boolean) => {
  const question = z.strictObject({
    question: z.string().min(1).describe('The complete question, as shown to the user.'),
    header: (strict ? z.string().min(1).max(12) : z.string()).describe(
      'Short label for the question, at most 12 characters.',
    ),
    options: (strict ? z.array(option).min(2).max(4) : z.array(option)).describe(
      'Two to four choices. "Other" is always offered as well.',
    ),
    multiSelect: z.boolean().optional().describe('Allow several choices. Default false.'),
  })
  return z.strictObject({
    questions: z
      .array(question)
      .min(1)
      .max(4)
      .refine(areDifferent, 'Questions must be different, and so must the labels of each.')
      .describe('One to four questions.'),
  })
}

/** Arguments of AskUserQuestion. */
export interface AskUserQuestionArguments {
  readonly questions: readonly Question[]
}

/** The result of AskUserQuestion. */
export interface AskUserQuestionResult {
  /** By question text; a list if several choices are allowed. */
  readonly answers: Answers
  /** The questions that the user did not answer. */
  readonly unanswered?: readonly string[]
}

/** Options of AskUserQuestion. */
export interface AskUserQuestionOptions {
  /** The time limit for an answer, in milliseconds. Default: no limit. */
  readonly timeout?: number | undefined
  /** Refuses long headers, and fewer than two or more than four options. Default: true. */
  readonly strict?: boolean | undefined
}

/** Creates the AskUserQuestion tool. Only the user can answer: there are no default answers. */
export function askUserQuestionTool(
  host: Pick<Host, 'ask'>,
  { timeout, strict = true }: AskUserQuestionOptions = {},
): Tool<AskUserQuestionArguments, AskUserQuestionResult> {
  return tool({
    name: 'AskUserQuestion',
    description:
      'Ask the user one to four questions, each with two to four choices. The user can also give another answer.',
    parameters: parametersFor(strict),
    access: canonicalTools.get('AskUserQuestion')!,
    level: 1,
    waits: true,
    // Later than the tool's own timeout below, which has a better message.
    timeout: timeout === undefined ? undefined : timeout + 1000,

    async execute({ questions }, { signal, ask = host.ask }) {
      if (!ask)
        throw new ToolError(
          'execution_failed',
          'No user is available to answer. Decide yourself, and state your assumptions in your answer.',
          { code: 'nobody_to_ask' },
        )
      const limit = timeLimit(timeout, signal)
      const stop = limit.signal
      try {
        return resultOf(questions, await unlessAborted(stop, ask(questions, stop)))
      } catch (error) {
        signal.throwIfAborted()
        if (stop.aborted)
          throw new ToolError(
            'timeout',
            `The user did not answer within ${timeout! / 1000} seconds.`,
            {
              code: 'no_answer',
            },
          )
        if (error instanceof Unanswered) throw denied(error.message)
        throw error
      } finally {
        limit.end()
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
    const chosen = answer.filter((each) => each.trim() !== '')
    if (chosen.length === 0) unanswered.push(question)
    else if (multiSelect) define(answers, question, chosen)
    else if (chosen.length === 1) define(answers, question, chosen[0]!)
    else throw new TypeError(`${JSON.stringify(question)} allows one answer, not ${chosen.length}.`)
  }
  if (unanswered.length === questions.length) throw denied('None of the questions was answered.')
  return unanswered.length > 0 ? { answers, unanswered } : { answers }
}

/** Safe even if the text of a question is `__proto__`. */
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
    `The user did not answer: ${why} Do not ask the same question again.`,
    { code: 'denied_by_user' },
  )
}
