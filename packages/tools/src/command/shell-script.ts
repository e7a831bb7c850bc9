import { ToolError } from '@toolglot/agent'

/** The descriptor for the shell's report on exit. */
export const REPORT_DESCRIPTOR = 3

/** A descriptor that commands are unlikely to use. */
const HIDDEN_DESCRIPTOR = 197

/** In bytes: the system limits the length of an argument. */
const MAX_SCRIPT_BYTES = 130_000

/**
 * The script for the shell. It runs the command, and on exit reports the working folder and the
 * running jobs. The command can also write to that descriptor, so the report is only a hint.
 */
export function shellScript(command: string): string {
  return [
    `{ exec ${HIDDEN_DESCRIPTOR}>&${REPORT_DESCRIPTOR} ${REPORT_DESCRIPTOR}>&-; } 2>/dev/null`,
    `trap '{ builtin printf "%s\\0" "$PWD"; builtin jobs -rp; } 2>/dev/null >&${HIDDEN_DESCRIPTOR}' EXIT`,
    `eval ${quote(command)}`,
  ].join('; ')
}

/** Quotes a string as one word for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** The shell's report on exit. */
export interface ShellReport {
  readonly folder: string | undefined
  readonly leftOver: boolean
}

/** Reads a report such as `/a/folder␀12␤13␤`. */
export function readShellReport(report: string): ShellReport {
  const parts = report.split('\0')
  return { folder: parts.at(-2), leftOver: /^\d/.test(parts.at(-1)!) }
}

/**
 * Throws for a command that no shell can run, or whose original text shows that it would kill this
 * process.
 */
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

/**
 * The reason why a command would kill the program that runs it, or undefined. Catches accidents,
 * not malice.
 */
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
