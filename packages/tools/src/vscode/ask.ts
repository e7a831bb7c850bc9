import { type Answers, type Ask, type Question, Unanswered } from '@toolglot/agent'
import type { Choice, PickOptions, VscodeApi } from './api.ts'

/** Asks the user questions in the editor, one at a time. Escape means no answer. */
export function editorAsk({
  window,
  CancellationTokenSource,
}: Pick<VscodeApi, 'window' | 'CancellationTokenSource'>): Ask {
  return async (questions, signal) => {
    signal.throwIfAborted()
    const source = new CancellationTokenSource()
    const stop = (): void => source.cancel()
    signal.addEventListener('abort', stop, { once: true })
    try {
      const answers: [string, string | readonly string[]][] = []
      for (const question of questions) {
        answers.push([question.question, await ask(question, source.token)])
        signal.throwIfAborted()
      }
      return Object.fromEntries(answers) satisfies Answers
    } catch (error) {
      // The signal closed the question; the user did not decline it.
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
      source.dispose()
    }
  }

  async function ask(
    { question, header, options, multiSelect = false }: Question,
    token: unknown,
  ): Promise<string | readonly string[]> {
    const items = options.map(({ label, description }): Choice => ({ label, detail: description }))
    const other: Choice = { label: 'Something else…', detail: 'Answer in your own words' }
    const shown: PickOptions = { title: header, placeHolder: question, ignoreFocusOut: true }
    const choices = [...items, other]
    const chosen = multiSelect
      ? await window.showQuickPick(choices, { ...shown, canPickMany: true }, token)
      : [await window.showQuickPick(choices, shown, token)]
    const answers: string[] = []
    for (const item of chosen ?? []) {
      if (item === other) answers.push(await write(question, header, token))
      else if (item) answers.push(item.label)
    }
    const [first] = answers
    if (first === undefined) throw new Unanswered()
    return multiSelect ? answers : first
  }

  async function write(prompt: string, title: string, token: unknown): Promise<string> {
    const answer = await window.showInputBox({ title, prompt, ignoreFocusOut: true }, token)
    if (answer === undefined || answer.trim() === '') throw new Unanswered()
    return answer
  }
}
