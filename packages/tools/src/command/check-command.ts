import { ToolError } from '@toolglot/agent'
import { LONGEST_TEXT, shellText } from './shell-script.ts'

/** Refuses a command that no shell can be given, or that would end us. */
export function checkCommand(command: string): void {
  const problem =
    command.trim() === ''
      ? 'there is nothing in it'
      : command.includes('\0')
        ? 'it holds a NUL character'
        : Buffer.byteLength(shellText(command)) > LONGEST_TEXT
          ? `it is too long, at ${command.length} characters: write it to a file and run that`
          : killsUs(command, { pid: process.pid, names: ['node', process.title] })
  if (problem)
    throw new ToolError('invalid_input', `This command does not run: ${problem}.`, {
      code: 'command',
    })
}

/** Why a command would end the program that runs it, or undefined. A guard against accidents, not against malice. */
export function killsUs(
  command: string,
  us: { readonly pid: number; readonly names: readonly string[] },
): string | undefined {
  for (const part of command.split(/[|;&\n()`]+/)) {
    const [first, ...words] = part.trim().split(/\s+/)
    const program = first === 'sudo' ? words.shift() : first
    const targets = words.map((word) => word.replace(/^["']|["']$/g, ''))
    if (program === 'kill') {
      const target = targets.find((word) => ours(us.pid).has(word))
      if (target) return `kill ${target} would end the program that runs this command`
    }
    if (program === 'pkill' || program === 'killall') {
      const target = targets.find((word) => us.names.includes(word))
      if (target) return `${program} ${target} would end the program that runs this command, too`
    }
  }
  return undefined
}

function ours(pid: number): ReadonlySet<string> {
  return new Set([`${pid}`, `-${pid}`, '$PPID', '-$PPID', '${PPID}'])
}
