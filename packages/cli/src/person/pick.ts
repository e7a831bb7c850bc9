import { UserError, type ModelSearch } from '@toolglot/workspace'
import { quote, visibleLine } from '@toolglot/workspace/internal'
import type { Keyboard } from './keyboard.ts'
import type { Journal, RunSummary } from '@toolglot/agent/journal'
import { age } from '../show/runs.ts'
import { truncate } from '../show/text/table.ts'

/** An item in a numbered list. */
interface Choice<Value> {
  /** The label, which fits on one line. */
  readonly label: string
  readonly value: Value
}

/** The choices, and the user's keyboard. */
interface PickOptions {
  /** The alternative, as a sentence without a full stop. */
  readonly advice: string
  /** Undefined if there is no user to ask. */
  readonly keyboard: Keyboard | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks the user to pick an item in a numbered list. Undefined if they pick none. Throws a UserError
 * if the list is empty, if there is no user to ask, or if the number is invalid.
 */
async function pick<Value>(
  choices: readonly Choice<Value>[],
  { advice, keyboard, signal = new AbortController().signal }: PickOptions,
): Promise<Value | undefined> {
  const refuse = (problem: string): UserError => new UserError('usage', `${problem}. ${advice}`)
  if (!keyboard) throw refuse('No terminal to ask on')
  if (choices.length === 0) throw refuse('There is nothing to choose from')
  const width = String(choices.length).length
  for (const [at, { label }] of choices.entries())
    keyboard.show(`${String(at + 1).padStart(width + 1)}  ${label}\n`)
  const answer = (await keyboard.ask(`Which one? [1-${choices.length}] `, signal))?.trim() ?? ''
  if (answer === '') return undefined
  const picked = /^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined
  if (!picked) throw refuse(`${quote(answer)} is not one of these numbers`)
  return picked.value
}

/** Asks the user to pick one of the models that were found. */
export function pickModel(
  { found: { servers, keys } }: Pick<ModelSearch, 'found'>,
  asking: Pick<PickOptions, 'keyboard' | 'signal'>,
): Promise<string | undefined> {
  const local = servers.flatMap(({ id, models }) => models.map(({ name }) => `${id}/${name}`))
  const paid = keys.map(({ provider, usual }) => `${provider}/${usual}`)
  const choices = [
    ...local.map((value) => ({ value, label: visibleLine(value) })),
    ...paid.map((value) => ({ value, label: `${visibleLine(value)}  (costs money)` })),
  ]
  const advice = 'List models with: toolglot models'
  return pick(choices, { advice, ...asking })
}

/** Asks the user to pick one of the latest runs. */
export async function pickRun(
  journal: Pick<Journal, 'runs'>,
  asking: Pick<PickOptions, 'keyboard' | 'signal'>,
): Promise<RunSummary | undefined> {
  const now = Date.now()
  const choices = (await journal.runs({ limit: MAX_CHOICES })).map((value) => {
    const { name, prompt = '', last, run } = value
    const title = truncate(visibleLine(name ?? prompt), 60)
    return { value, label: `${title}  (${run}, ${age(now - last) ?? 'now'})` }
  })
  const advice = 'List runs with: toolglot runs (last is the latest one)'
  return pick(choices, { advice, ...asking })
}

const MAX_CHOICES = 15
