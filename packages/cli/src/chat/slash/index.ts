import { JournalError } from '@toolglot/agent/journal'
import { nearest } from '@toolglot/permissions/internal'
import { quote, visible } from '@toolglot/workspace/internal'
import { CommandError } from '../../command-error.ts'
import type { Session } from '../session.ts'
import { exit } from './exit.ts'
import { helpOn } from './help.ts'
import { model } from './model.ts'
import { permissions } from './permissions.ts'
import { protocol } from './protocol.ts'
import { resume } from './resume.ts'
import type { SlashCommand } from './slash-command.ts'
import { todos } from './todos.ts'
import { tools } from './tools.ts'
import { undo } from './undo.ts'

export const slashCommands: readonly SlashCommand[] = [
  model,
  protocol,
  tools,
  permissions,
  resume,
  undo,
  todos,
  helpOn(() => slashCommands),
  exit,
]

/** Does what a line that begins with a slash says. What goes wrong is told, and the chat goes on. */
export async function runSlash(line: string, session: Session): Promise<void | 'leave'> {
  const { person, colors } = session
  const [, name = '', words = ''] = /^\/(\S*)\s*([^]*)$/.exec(line) ?? []
  const found = slashCommands.find((command) => command.name === name)
  if (!found) return person.show(`There is no ${quote(`/${name}`)}. ${adviceOn(name)}\n`)
  try {
    return await found.run(session, words.trim())
  } catch (error) {
    // A model that is not there, a protocol that nobody knows, a run that is open elsewhere.
    if (!(error instanceof CommandError || error instanceof JournalError)) throw error
    person.show(`${colors.red('error:')} ${visible(error.message)}\n`)
  }
}

/** What a beginning of a command may become, if that is clear. */
export function completeSlash(text: string): string | undefined {
  if (!/^\/\S*$/.test(text)) return undefined
  const fitting = slashCommands.filter(({ name }) => name.startsWith(text.slice(1)))
  return fitting.length === 1 ? `/${fitting[0]!.name} ` : undefined
}

function adviceOn(name: string): string {
  const [close] = nearest(
    name,
    slashCommands.map((command) => command.name),
  )
  return close === undefined ? '/help lists what there is.' : `Did you mean /${close}?`
}
