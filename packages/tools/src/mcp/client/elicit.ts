import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client'
import { type Answers, type Ask, type Question, Unanswered } from '@toolglot/agent'
import { cleanText } from './clean-text.ts'

type Field = ElicitRequestFormParams['requestedSchema']['properties'][string]
type Value = string | number | boolean | string[]

const MAX_FIELDS = 8
/** The maximum number of questions per request, and of options per question. */
const AT_ONCE = 4
const MAX_LENGTH = 1000

/** Asks the user a server's questions, with the server's name. */
export async function elicit(
  { message, requestedSchema }: ElicitRequestFormParams,
  server: string,
  ask: Ask,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const fields = Object.entries(requestedSchema.properties)
  if (fields.length > MAX_FIELDS) return { action: 'decline' }
  const prompt = `The MCP server ${server} asks: ${cleanText(message, MAX_LENGTH)}`
  try {
    if (fields.length === 0) {
      const question: Question = { question: prompt, header: 'Confirm', options: CONFIRM }
      const answers = await ask([question], signal)
      return { action: answerTo(answers, prompt) === CONFIRM[0].label ? 'accept' : 'decline' }
    }
    const content: Record<string, Value> = {}
    for (let from = 0; from < fields.length; from += AT_ONCE) {
      const some = fields.slice(from, from + AT_ONCE)
      const questions = some.map(([name, field], at) => questionOf(prompt, name, field, from + at))
      const answers = await ask(questions, signal)
      for (const [at, [name, field]] of some.entries()) {
        const answer = answers[questions[at]!.question]
        const value = answer === undefined ? undefined : valueOf(answer, field)
        if (value !== undefined) content[name] = value
        else if (requestedSchema.required?.includes(name)) return { action: 'cancel' }
      }
    }
    return { action: 'accept', content }
  } catch (error) {
    if (error instanceof Unanswered) return { action: 'decline' }
    throw error
  }
}

const CONFIRM = [
  { label: 'Yes', description: 'Continue' },
  { label: 'No', description: 'Decline' },
] as const
const LEFT_OUT = 'Leave empty'

function questionOf(prompt: string, name: string, field: Field, number: number): Question {
  const about = [field.title ?? name, field.description].filter(Boolean).join(': ')
  const choices = choicesOf(field)
  const all = choices.length > AT_ONCE ? ` (one of ${choices.join(', ')})` : ''
  const labels = choices.length > 1 ? choices.slice(0, AT_ONCE) : [...defaultOf(field), LEFT_OUT]
  return {
    // Answers are matched by this text.
    question: `${prompt}\n${number + 1}. ${cleanText(about + all, MAX_LENGTH)}`,
    header: cleanText(field.title ?? name, 12),
    options: labels.map((label) => ({ label: cleanText(label, 100), description: '' })),
    multiSelect: field.type === 'array' || undefined,
  }
}

function choicesOf(field: Field): readonly string[] {
  if (field.type === 'boolean') return ['Yes', 'No']
  if (field.type === 'array') return wordsOf(field.items)
  return field.type === 'string' ? wordsOf(field) : []
}

function wordsOf(field: object): readonly string[] {
  const {
    enum: words,
    oneOf,
    anyOf,
  } = field as {
    enum?: readonly string[]
    oneOf?: readonly { const: string }[]
    anyOf?: readonly { const: string }[]
  }
  return words ?? (oneOf ?? anyOf ?? []).map((each) => each.const)
}

function defaultOf(field: Field): readonly string[] {
  return field.default === undefined ? [] : [String(field.default)]
}

function answerTo(answers: Answers, question: string): string | undefined {
  const answer = answers[question]
  return typeof answer === 'string' ? answer : answer?.[0]
}

/** Converts an answer to the type of the field. Returns undefined if it is invalid. */
function valueOf(answer: string | readonly string[], field: Field): Value | undefined {
  const given = [answer].flat().filter((each) => each !== LEFT_OUT && each.trim() !== '')
  const [first] = given
  if (first === undefined) return undefined
  const choices = choicesOf(field)
  switch (field.type) {
    case 'boolean':
      return choices.includes(first) ? first === 'Yes' : undefined
    case 'array':
      return given.every((each) => choices.includes(each)) ? given : undefined
    case 'number':
    case 'integer': {
      const number = Number(first)
      const isFit =
        field.type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)
      return isFit ? number : undefined
    }
    case 'string':
      return choices.length === 0 || choices.includes(first) ? first : undefined
  }
}
