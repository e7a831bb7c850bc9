import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import picocolors from 'picocolors'

/** An output stream that may be a terminal. */
export type Screen = Writable & { isTTY?: boolean; columns?: number }

/** The input and output of a command: the streams of the process or of a test. */
export interface Terminal {
  readonly input: Readable
  /** True if `input` is piped. */
  readonly hasInput: boolean
  readonly output: Screen
  readonly errors: Screen
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder in which the command was started. */
  readonly cwd: string
  /** Asks the user for a line. Resolves to undefined on Ctrl-D. Missing if there is no terminal. */
  readonly ask?: (question: string, signal?: AbortSignal) => Promise<string | undefined>
}

/** Functions that color text, or return it unchanged if colors are off. */
export type Colors = ReturnType<typeof picocolors.createColors>

/** The colors of a screen, according to NO_COLOR and FORCE_COLOR. Default: on for a terminal. */
export function colorsOf(screen: Screen, env: Terminal['env']): Colors {
  const { NO_COLOR, FORCE_COLOR, TERM } = env
  if (NO_COLOR) return picocolors.createColors(false)
  if (FORCE_COLOR) return picocolors.createColors(FORCE_COLOR !== '0')
  return picocolors.createColors(screen.isTTY === true && TERM !== 'dumb')
}

/** The maximum width of a line: unlimited if the screen is not a terminal. */
export function columnsOf({ isTTY, columns }: Screen): number {
  return isTTY ? (columns ?? 80) : Infinity
}

/** Writes, and waits while the reader is slower than the writer. */
export async function write(screen: Screen, text: string): Promise<void> {
  if (!screen.write(text)) await once(screen, 'drain')
}

/** Prints a warning to standard error. */
export function warn(message: string, { errors, env }: Terminal): void {
  errors.write(`${colorsOf(errors, env).yellow('warning:')} ${message}\n`)
}
