import { ToolError } from '@toolglot/agent'
import { MAX_SCRIPT_BYTES, shellScript } from './shell-script.ts'

/** Refuses a command that no shell can be given, or that would end us. */
export function checkCommand(command: string): void {
  const problem =
    command.trim() === ''
      ? 'there is nothing in it'
      : command.includes('\0')
        ? 'it holds a NUL character'
        : Buffer.byteLength(shellScript(command)) > MAX_SCRIPT_BYTES
          ? `it is too long, at ${command.length} characters: write it to a file and run that`
          : selfKillReason(command, { pid: process.pid, names: ['node', process.title] })
  if (problem)
    throw new ToolError('invalid_input', `This command does not run: ${problem}.`, {
      code: 'command',
    })
}

/** Why a command would end the program that runs it, or undefined. A guard against accidents, not against malice. */
export function selfKillReason(
  command: string,
  us: { readonly pid: number; readonly names: readonly string[] },
): string | undefined {
  for (const part of command.split(/[|;&\n()`]+/)) {
    const [first, ...words] = part.trim().split(/\s+/)
    const program = first === 'sudo' ? words.shift() : first
    const targets = words.map((word) => word.replace(/^["']|["']$/g, ''))
    if (program === 'kill') {
      const target = targets.find((word) => ownTargets(us.pid).has(word))
      if (target) return `kill ${target} would end the program that runs this command`
    }
    if (program === 'pkill' || program === 'killall') {
      const target = targets.find((word) => us.names.includes(word))
      if (target) return `${program} ${target} would end the program that runs this command, too`
    }
  }
  return undefined
}

function ownTargets(pid: number): ReadonlySet<string> {
  return new Set([`${pid}`, `-${pid}`, '$PPID', '-$PPID', '${PPID}'])
}
