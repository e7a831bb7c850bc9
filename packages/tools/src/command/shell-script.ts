/** The descriptor on which the shell reports how it ended. */
export const REPORT_DESCRIPTOR = 3

/** A descriptor that commands are unlikely to use. */
const HIDDEN_DESCRIPTOR = 197

/** In bytes: the system limits the length of an argument. */
export const MAX_SCRIPT_BYTES = 130_000

/**
 * The script for the shell. It runs the command and reports on exit the working folder and the running jobs. The command
 * can write to that descriptor, too, so the report is only a hint.
 */
export function shellScript(command: string): string {
  return [
    `{ exec ${HIDDEN_DESCRIPTOR}>&${REPORT_DESCRIPTOR} ${REPORT_DESCRIPTOR}>&-; } 2>/dev/null`,
    `trap '{ builtin printf "%s\\0" "$PWD"; builtin jobs -rp; } 2>/dev/null >&${HIDDEN_DESCRIPTOR}' EXIT`,
    `eval ${quote(command)}`,
  ].join('; ')
}

/** Quotes a text as one word for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** What the shell reported on exit. */
export interface ShellReport {
  readonly folder: string | undefined
  readonly leftOver: boolean
}

/** Reads a report such as `/a/folder␀12␤13␤`. */
export function readShellReport(report: string): ShellReport {
  const parts = report.split('\0')
  return { folder: parts.at(-2), leftOver: /^\d/.test(parts.at(-1)!) }
}
