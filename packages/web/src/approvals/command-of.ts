import type { Decision } from '@toolglot/permissions'

/** The command of a call, and the argument that contains it. */
export interface CallCommand {
  readonly name: string
  readonly text: string
}

/** The command of a call. `several`: more than one argument could be the command. */
export type CommandFound = CallCommand | 'several' | undefined

/** The arguments of our own tools that a shell executes. */
export const SHELL_ARGUMENTS: ReadonlyMap<string, string> = new Map([['Bash', 'command']])

/** The command that a call executes; undefined if no part of the decision is about a command. */
export function commandOf(
  args: Readonly<Record<string, unknown>>,
  { parts, call }: Pick<Decision, 'parts' | 'call'>,
): CommandFound {
  const shell = call && SHELL_ARGUMENTS.get(call.name)
  if (shell !== undefined) {
    const text = call?.args[shell]
    return typeof text === 'string' ? { name: shell, text } : undefined
  }
  // Other tools may also execute commands, from an unknown argument.
  const commands = parts.flatMap(({ subject }) => (subject && 'words' in subject ? [subject] : []))
  const wholes = new Set(parts.filter(({ subject }) => !subject).map(({ what }) => what))
  const found = Object.entries(args).flatMap(([name, text]): CallCommand[] => {
    if (typeof text !== 'string') return []
    const fits =
      commands.length > 0 ? commands.every((each) => text.includes(each.text)) : wholes.has(text)
    return fits ? [{ name, text }] : []
  })
  return found.length > 1 ? 'several' : found[0]
}

/** The arguments of a call without its command, as text; empty if there are none. */
export function argumentsText(
  args: Readonly<Record<string, unknown>>,
  command: CallCommand | undefined,
): string {
  const others = Object.entries(args).filter(
    ([name, value]) => name !== command?.name || value !== command.text,
  )
  return others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2)
}
