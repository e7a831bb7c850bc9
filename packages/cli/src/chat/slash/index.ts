import { JournalError } from '@toolglot/agent/journal'
import { nearest } from '@toolglot/permissions/internal'
import { UserError } from '@toolglot/workspace'
import { quote, visible } from '@toolglot/workspace/internal'
import type { Session } from '../session.ts'
import { edit, fork, resume, undo } from './conversation.ts'
import { helpCommand, todos, tools } from './lists.ts'
import { model, permissions, protocol } from './choices.ts'
import type { SlashCommand } from './slash-command.ts'

const exit: SlashCommand = {
  name: 'exit',
  about: 'leave the chat (it can be resumed)',
  run: () => 'leave',
}

/** All chat commands, in the order of `/help`. */
const slashCommands: readonly SlashCommand[] = [
  model,
  protocol,
  tools,
  permissions,
  resume,
  edit,
  fork,
  undo,
  todos,
  helpCommand(() => slashCommands),
  exit,
]

/** Runs a line that starts with a slash. Errors are shown, and the chat continues. */
export async function runSlash(line: string, session: Session): Promise<void | 'leave'> {
  const { person, colors } = session
  const [, name = '', argument = ''] = /^\/(\S*)\s*([^]*)$/.exec(line) ?? []
  const found = slashCommands.find((command) => command.name === name)
  if (!found) return person.show(`Unknown command: ${quote(`/${name}`)}. ${adviceOn(name)}\n`)
  try {
    return await found.run(session, argument.trim())
  } catch (error) {
    // The model or protocol is unknown, or the run is in use elsewhere.
    if (!(error instanceof UserError || error instanceof JournalError)) throw error
    person.show(`${colors.red('error:')} ${visible(error.message)}\n`)
  }
}

/** Completes the name of a command if only one matches. */
export function completeSlash(text: string): string | undefined {
  if (!/^\/\S*$/.test(text)) return undefined
  const matching = slashCommands.filter(({ name }) => name.startsWith(text.slice(1)))
  return matching.length === 1 ? `/${matching[0]!.name} ` : undefined
}

function adviceOn(name: string): string {
  const [close] = nearest(
    name,
    slashCommands.map((command) => command.name),
  )
  return close === undefined ? 'See /help.' : `Did you mean /${close}?`
}
