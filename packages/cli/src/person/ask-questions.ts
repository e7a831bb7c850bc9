import { type Ask, type Question, Unanswered } from '@toolglot/agent'
import { showQuestion } from '../show/run/question.ts'
import type { Colors } from '../terminal.ts'
import type { Keyboard } from './keyboard.ts'

/** Puts a model's questions to a person, one by one: a number, several where that is asked for, or their own words. */
export function askBy({ keyboard, colors }: { keyboard: Keyboard; colors: Colors }): Ask {
  return async (questions, signal) => {
    const answers: [string, string | string[]][] = []
    for (const question of questions) {
      keyboard.show(showQuestion(question, colors))
      answers.push([question.question, await answerTo(question, keyboard, colors, signal)])
    }
    // A question may read `__proto__`.
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
    const said = await keyboard.ask('  Your answer: ', signal)
    signal.throwIfAborted()
    if (said === undefined) throw new Unanswered()
    const read = readChoice(said, question)
    if (read === 'other') {
      const own = (await keyboard.ask('  In your words: ', signal))?.trim()
      signal.throwIfAborted()
      if (own) return multiSelect ? [own] : own
    } else if (read !== undefined) return read.answer
    const several = multiSelect ? `, or several: 1, 2` : ''
    keyboard.show(dim(`  A number from 1 to ${other}${several}, or what you want to say.\n`))
  }
}

/** What a person chose; `other`: they want to say it themselves; undefined: nothing that there is. */
export function readChoice(
  text: string,
  { options, multiSelect = false }: Pick<Question, 'options' | 'multiSelect'>,
): { readonly answer: string | string[] } | 'other' | undefined {
  const said = text.trim()
  if (said === '') return undefined
  const parts = said.split(/[\s,]+/).filter((part) => part !== '')
  if (!parts.every((part) => /^\d+$/.test(part))) return { answer: multiSelect ? [said] : said }
  if (parts.length === 1 && Number(said) === options.length + 1) return 'other'
  const labels = [...new Set(parts)].map((part) => options[Number(part) - 1]?.label)
  if (!labels.every((label) => label !== undefined)) return undefined
  if (multiSelect) return { answer: labels }
  return labels.length === 1 ? { answer: labels[0]! } : undefined
}
