import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import type { Keyboard } from './keyboard.ts'

/** Something to pick from a numbered list. */
export interface Choice<Value> {
  /** One line. */
  readonly label: string
  readonly value: Value
}

/** What is picked, and who is asked. */
export interface PickOptions {
  /** What is picked, with its article: `a model`. */
  readonly what: string
  /** What to do instead, as a sentence without its full stop. */
  readonly advice: string
  /** Undefined: there is nobody to ask. */
  readonly keyboard: Keyboard | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks a person to pick one of a numbered list. Undefined if they want none of them. Throws a UserError if the list is empty,
 * if there is nobody to ask, or no such number.
 */
export async function pick<Value>(
  choices: readonly Choice<Value>[],
  { what, advice, keyboard, signal = new AbortController().signal }: PickOptions,
): Promise<Value | undefined> {
  const refuse = (got: string): UserError => new UserError('usage', { expected: what, got, advice })
  if (!keyboard) throw refuse('nothing, and no terminal to ask on')
  if (choices.length === 0) throw refuse('nothing to choose from')
  const width = String(choices.length).length
  for (const [at, { label }] of choices.entries())
    keyboard.show(`${String(at + 1).padStart(width + 1)}  ${label}\n`)
  const answer = (await keyboard.ask(`Which one? [1-${choices.length}] `, signal))?.trim() ?? ''
  if (answer === '') return undefined
  const picked = /^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined
  if (!picked) throw refuse(quote(answer))
  return picked.value
}
