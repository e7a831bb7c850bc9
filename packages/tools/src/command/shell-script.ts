/** The descriptor on which a shell says how it ends. */
export const REPORT_DESCRIPTOR = 3

/** Out of the way of descriptors that commands use. */
const HIDDEN_DESCRIPTOR = 197

/** In bytes: a program takes no longer argument. */
export const MAX_SCRIPT_BYTES = 130_000

/**
 * The text that a shell is given: it runs the command, and says on leaving which folder it is in, and what still runs.
 * What it says may be anything, since the command can write there, too: it is a hint to be checked.
 */
export function shellScript(command: string): string {
  return [
    `{ exec ${HIDDEN_DESCRIPTOR}>&${REPORT_DESCRIPTOR} ${REPORT_DESCRIPTOR}>&-; } 2>/dev/null`,
    `trap '{ builtin printf "%s\\0" "$PWD"; builtin jobs -rp; } 2>/dev/null >&${HIDDEN_DESCRIPTOR}' EXIT`,
    `eval ${quote(command)}`,
  ].join('; ')
}

/** As one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** What a shell said in the end. */
export interface ShellReport {
  readonly folder: string | undefined
  readonly leftOver: boolean
}

/** `/a/folder␀12␤13␤` */
export function readShellReport(report: string): ShellReport {
  const parts = report.split('\0')
  return { folder: parts.at(-2), leftOver: /^\d/.test(parts.at(-1)!) }
}
