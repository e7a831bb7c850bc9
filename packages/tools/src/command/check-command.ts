import { ToolError } from '@toolglot/agent'
import { MAX_SCRIPT_BYTES, shellScript } from './shell-script.ts'

/** Throws for a command that no shell can run, or that would kill this process, as its original text says. */
export function checkCommand(command: string, original: string = command): void {
  const problem =
    command.trim() === ''
      ? 'it is empty'
      : command.includes('\0')
        ? 'it contains a NUL character'
        : Buffer.byteLength(shellScript(command)) > MAX_SCRIPT_BYTES
          ? 'it is too long. Write it to a file and run that'
          : selfKillReason(original, { pid: process.pid, names: ['node', process.title] })
  if (problem)
    throw new ToolError('invalid_input', `This command was not run: ${problem}.`, {
      code: 'command',
    })
}

/** Why a command would kill the program that runs it, or undefined. It catches accidents, not malice. */
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
      if (target) return `kill ${target} would end the program that runs it`
    }
    if (program === 'pkill' || program === 'killall') {
      const target = targets.find((word) => us.names.includes(word))
      if (target) return `${program} ${target} would also end the program that runs it`
    }
  }
  return undefined
}

function ownTargets(pid: number): ReadonlySet<string> {
  return new Set([`${pid}`, `-${pid}`, '$PPID', '-$PPID', '${PPID}'])
}
