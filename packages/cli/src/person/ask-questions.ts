import { type Ask, type Question, Unanswered } from '@toolglot/agent'
import { showQuestion } from '../show/run/call-line.ts'
import type { Colors } from '../terminal.ts'
import type { Keyboard } from './keyboard.ts'

/** Asks the user a model's questions, one by one. They answer with a number, several if allowed, or free text. */
export function askAtKeyboard({ keyboard, colors }: { keyboard: Keyboard; colors: Colors }): Ask {
  return async (questions, signal) => {
    const answers: [string, string | string[]][] = []
    for (const question of questions) {
      keyboard.show(showQuestion(question, colors))
      answers.push([question.question, await answerTo(question, keyboard, colors, signal)])
    }
    // Unlike an assignment, this is safe for a question named `__proto__`.
    return Object.fromEntries(answers)
  }
}

async function answerTo(
  question: Question,
  keyboard: Keyboard,
  { dim }: Colors,
  signal: AbortSignal,
): Promise<string | string[]> {
  const { options, multiSelect } = question
  const other = options.length + 1
  for (;;) {
    const line = await keyboard.ask('  Your answer: ', signal)
    signal.throwIfAborted()
    if (line === undefined) throw new Unanswered()
    const choice = readChoice(line, question)
    if (choice === 'other') {
      const freeText = (await keyboard.ask('  Your answer: ', signal))?.trim()
      signal.throwIfAborted()
      if (freeText) return multiSelect ? [freeText] : freeText
    } else if (choice !== undefined) return choice.answer
    const several = multiSelect ? ' (or several, such as 1, 2)' : ''
    keyboard.show(dim(`  Please type a number from 1 to ${other}${several}, or your own answer.\n`))
  }
}

/**
 * Parses the user's choice. Returns `other` if they want to answer in their own words, and
 * undefined if the choice does not exist.
 */
export function readChoice(
  text: string,
  { options, multiSelect = false }: Pick<Question, 'options' | 'multiSelect'>,
): { readonly answer: string | string[] } | 'other' | undefined {
  const line = text.trim()
  if (line === '') return undefined
  const parts = line.split(/[\s,]+/).filter((part) => part !== '')
  if (!parts.every((part) => /^\d+$/.test(part))) return { answer: multiSelect ? [line] : line }
  if (parts.length === 1 && Number(line) === options.length + 1) return 'other'
  const labels = [...new Set(parts)].map((part) => options[Number(part) - 1]?.label)
  if (!labels.every((label) => label !== undefined)) return undefined
  if (multiSelect) return { answer: labels }
  return labels.length === 1 ? { answer: labels[0]! } : undefined
}
