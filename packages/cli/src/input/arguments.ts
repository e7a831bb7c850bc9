import { isObject } from '@toolglot/agent/internal'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import type { Terminal } from '../terminal.ts'
import { describe } from '../show/text/json.ts'
import { fromInput, PROMPT_LIMIT, textOf } from './source.ts'

/** Parses the arguments of a tool on the command line. */
export function argumentsOf(text = '{}'): Record<string, unknown> {
  const expected = 'the arguments as a JSON object'
  const advice = `quote them for the shell: '{"command": "git status"}'`
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
    throw new UserError('usage', { expected, got: describe(value), advice })
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError('usage', { expected, got: quote(text), advice })
  }
}

/**
 * The text of a tool's arguments, from the command line or the piped input. Undefined if there is
 * none.
 */
export async function argumentsText(
  given: string | undefined,
  terminal: Terminal,
): Promise<string | undefined> {
  if (given !== undefined || !terminal.hasInput) return given
  const piped = (await textOf(fromInput(terminal), PROMPT_LIMIT)).trim()
  return piped === '' ? undefined : piped
}
