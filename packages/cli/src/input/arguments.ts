import { isObject } from '@toolglot/agent/internal'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import type { Terminal } from '../terminal.ts'
import { describe } from '../show/text/json.ts'
import { fromInput, PROMPT_LIMIT, textOf } from './source.ts'

/** Parses the arguments of a tool on the command line. */
export function argumentsOf(text = '{}'): Record<string, unknown> {
  const refuse = (got: string): UserError =>
    new UserError(
      'usage',
      `The arguments must be a JSON object, not ${got}. Quote them for the shell: '{"command": "git status"}'`,
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse(quote(text))
  }
  if (isObject(value)) return value
  throw refuse(describe(value))
}

/**
 * The text of a tool's arguments, from the command line or the piped input. Undefined if neither
 * contains any.
 */
export async function argumentsText(
  given: string | undefined,
  terminal: Terminal,
): Promise<string | undefined> {
  if (given !== undefined || !terminal.hasInput) return given
  const piped = (await textOf(fromInput(terminal), PROMPT_LIMIT)).trim()
  return piped === '' ? undefined : piped
}
