import type { Answers, Question } from '@toolglot/agent'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import { readChoice } from '../person/ask-questions.ts'

/**
 * Parses answers of the form `Question=Answer`. The question is its text or its header, and can be
 * omitted if there is only one. The answer is a label, its number, or the user's own text.
 */
export function readAnswers(texts: readonly string[], questions: readonly Question[]): Answers {
  const given = new Map<Question, string[]>()
  for (const text of texts) {
    const { question, answer } = addressed(text, questions)
    given.set(question, [...(given.get(question) ?? []), answer])
  }
  const answers = questions.map((question): [string, string | readonly string[]] => {
    const words = given.get(question)
    if (!words) throw problem(`No answer to ${quote(question.question)}`)
    return [question.question, answerOf(words, question)]
  })
  // Unlike an assignment, this is safe for a question named `__proto__`.
  return Object.fromEntries(answers)
}

interface Addressed {
  readonly question: Question
  readonly answer: string
}

function addressed(text: string, questions: readonly Question[]): Addressed {
  for (const question of questions)
    for (const name of [question.question, question.header])
      if (text.startsWith(`${name}=`)) return { question, answer: text.slice(name.length + 1) }
  const [only, ...others] = questions
  // A misspelled question must not become the answer.
  if (only && others.length === 0 && !text.includes('=')) return { question: only, answer: text }
  const names = questions.map(({ header }) => quote(`${header}=…`)).join(', ')
  throw problem(`${quote(text)} is not a question. Write ${names}`)
}

function answerOf(words: readonly string[], question: Question): string | readonly string[] {
  const { options, multiSelect = false } = question
  const chosen = words.flatMap((word): string | readonly string[] => {
    if (options.some(({ label }) => label === word.trim())) return word.trim()
    const choice = readChoice(word, question)
    if (choice !== undefined && choice !== 'other') return choice.answer
    const labels = options.map(({ label }) => quote(label)).join(', ')
    throw problem(
      `${quote(word)} is not an answer. Choose ${labels}, a number from 1 to ${options.length}, or write your own answer`,
    )
  })
  if (multiSelect) return [...new Set(chosen)]
  if (chosen.length === 1) return chosen[0]!
  throw problem(`${chosen.length} answers to ${quote(question.question)}, which takes only one`)
}

function problem(message: string): UserError {
  return new UserError(
    'data',
    `${message}; nothing was changed. To see the questions, run: toolglot runs waiting`,
  )
}
