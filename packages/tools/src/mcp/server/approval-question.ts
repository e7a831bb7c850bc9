import type { ToolCall, Answers, Question } from '@toolglot/agent'
import { type Decision, describeCode } from '@toolglot/permissions'
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'

/**
 * The approval question for a call: all of its arguments, and the reasons why it needs approval.
 */
export function approvalQuestion(
  { name, args }: ToolCall,
  { parts, unprinted, code }: Decision,
  folder: string,
): string {
  const reasons = parts
    .filter(({ verdict }) => verdict !== 'allow')
    // Each on one line, so that no text from the model and no file name can pass for another part.
    .map(({ what, why }) => onOneLine(`- ${what}: ${why}`))
  const notice = unprinted === undefined ? [] : [`Runs as written: ${unprinted}`]
  notice.push(...describeCode(code).map(onOneLine))
  return escapeHidden(
    [`Run ${name} in ${folder}?`, JSON.stringify(args, undefined, 2), ...reasons, ...notice]
      .join('\n')
      .trimEnd(),
  )
}

const onOneLine = (text: string): string => text.replaceAll('\n', String.raw`\n`)

/** Converts the questions of AskUserQuestion to a form for the client. */
export function questionForm(
  questions: readonly Question[],
): Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'> {
  const properties: ElicitRequestFormParams['requestedSchema']['properties'] = {}
  for (const [at, { question, header, options, multiSelect }] of questions.entries()) {
    const labels = { type: 'string' as const, enum: options.map(({ label }) => label) }
    const about = { title: escapeHidden(header), description: escapeHidden(question) }
    properties[keyOf(at)] = multiSelect
      ? { type: 'array', items: labels, ...about }
      : { ...labels, ...about }
    properties[otherOf(at)] = { type: 'string', title: `${about.title}: something else` }
  }
  const message = questions.map(({ question, options }) =>
    [
      question,
      ...options.map(({ label, description, preview }) =>
        [`- ${label}: ${description}`, ...(preview === undefined ? [] : [preview])].join('\n'),
      ),
    ].join('\n'),
  )
  return {
    message: escapeHidden(message.join('\n\n')),
    requestedSchema: { type: 'object', properties },
  }
}

/** Reads the answers from a completed form. */
export function answersOf(
  questions: readonly Question[],
  content: Readonly<Record<string, unknown>> = {},
): Answers {
  return Object.fromEntries(
    questions.map(({ question, multiSelect }, at) => {
      const chosen = [content[keyOf(at)]].flat().filter(isText)
      const other = [content[otherOf(at)]].filter(isText)
      return [question, multiSelect ? [...chosen, ...other] : [...other, ...chosen].slice(0, 1)]
    }),
  )
}

const keyOf = (at: number): string => `answer_${at + 1}`
const otherOf = (at: number): string => `other_${at + 1}`

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** Escapes invisible and bidirectional characters, so that users see what they approve. */
function escapeHidden(text: string): string {
  return text.replace(
    /[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}
