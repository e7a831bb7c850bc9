import { type Ask, type Question, Unanswered } from '@toolglot/agent'
import { table } from './show/table.ts'
import { visible, visibleLine } from './show/visible.ts'
import type { Terminal } from './terminal.ts'

/** Puts a model's questions to the person at the keyboard, one after the other. An empty line is no answer. */
export function askQuestions({ errors }: Terminal, ask: NonNullable<Terminal['ask']>): Ask {
  return async (questions, signal) => {
    const answers: [string, string | readonly string[]][] = []
    for (const question of questions) {
      errors.write(showQuestion(question))
      const answer = await answerTo(question, signal)
      if (answer !== undefined) answers.push([question.question, answer])
    }
    if (answers.length === 0) throw new Unanswered('Nothing was said.')
    return Object.fromEntries(answers)
  }

  async function answerTo(
    question: Question,
    signal: AbortSignal,
  ): Promise<string | readonly string[] | undefined> {
    const { multiSelect = false, options } = question
    const how = multiSelect ? 'Numbers, such as 1 2' : `1 to ${options.length}`
    for (;;) {
      signal.throwIfAborted()
      const said = (await ask(`${how}, or your own words: `)).trim()
      if (said === '') return undefined
      const chosen = chosenBy(said, question)
      if (chosen === undefined) return multiSelect ? [said] : said
      if (multiSelect) return chosen
      if (chosen.length === 1) return chosen[0]!
      errors.write(`Expected one number, got ${chosen.length}.\n`)
    }
  }
}

/** The labels that numbers stand for; undefined if it is anything but numbers of options. */
function chosenBy(said: string, { options }: Question): string[] | undefined {
  const labels = said
    .split(/[ ,]+/)
    .map((word) => (/^\d$/.test(word) ? options[Number(word) - 1]?.label : undefined))
  return labels.every((label) => label !== undefined) ? [...new Set(labels)] : undefined
}

function showQuestion({ header, question, options }: Question): string {
  const rows = options.map(({ label, description }, index) => [
    `  ${index + 1}`,
    visibleLine(label),
    visibleLine(description),
  ])
  const previews = options.flatMap(({ label, preview }) =>
    preview === undefined ? [] : [`\n${visibleLine(label)}:\n${visible(preview)}\n`],
  )
  return `${visibleLine(header)}: ${visible(question)}\n${table(rows)}${previews.join('')}`
}
