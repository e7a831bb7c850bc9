import type { CallCommand } from './command-of.ts'

/** The arguments of a call besides its command, to be read; empty if there are none. */
export function argumentsText(
  args: Readonly<Record<string, unknown>>,
  command: CallCommand | undefined,
): string {
  const others = Object.entries(args).filter(
    ([name, value]) => name !== command?.name || value !== command.text,
  )
  return others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2)
}
