import type { Key, Translate } from '../words/words.ts'
import { matchScore } from '../ui/match-score.ts'
import type { Command } from './commands.ts'

/** The command groups, in display order, with their titles. */
const GROUPS: readonly (readonly [Command['group'], Key])[] = [
  ['waiting', 'shell.group.waiting'],
  ['here', 'shell.group.here'],
  ['go', 'shell.group.go'],
  ['runs', 'shell.group.runs'],
]

/** A titled group of commands. */
export interface CommandGroup {
  readonly title: Key
  readonly commands: readonly Command[]
}

/**
 * Groups commands, each id once; the most recently offered command wins. If the user typed a query,
 * only matching commands remain, best match first.
 */
export function groupCommands(
  commands: readonly Command[],
  t: Translate,
  typed = '',
): readonly CommandGroup[] {
  const scores = new Map<Command, number>()
  const seen = new Set<string>()
  for (const command of commands) {
    const score = seen.has(command.id) ? 0 : matchScore(commandText(command, t), typed)
    seen.add(command.id)
    if (score > 0) scores.set(command, score)
  }
  const scoreOf = (command: Command | undefined): number => scores.get(command!) ?? 0
  return GROUPS.map(([group, title]) => ({
    title,
    commands: [...scores.keys()]
      .filter((command) => command.group === group)
      .sort((one, other) => scoreOf(other) - scoreOf(one)),
  }))
    .filter((each) => each.commands.length > 0)
    .sort((one, other) => scoreOf(other.commands[0]) - scoreOf(one.commands[0]))
}

/** The name of a command. */
export function commandText({ label }: Pick<Command, 'label'>, t: Translate): string {
  return typeof label === 'string' ? t(label) : label.text
}
