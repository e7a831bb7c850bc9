import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import picocolors from 'picocolors'

/** A stream that may end on a screen. */
export type Screen = Writable & { isTTY?: boolean; columns?: number }

/** Where a command reads and writes: the streams of the process, or those of a test. */
export interface Terminal {
  readonly input: Readable
  /** Something is piped into `input`. */
  readonly hasInput: boolean
  readonly output: Screen
  readonly errors: Screen
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder the command is used in. */
  readonly cwd: string
  /** Asks the person at the keyboard for a line, or nothing (Ctrl-D); undefined where there is nobody. */
  readonly ask?: (question: string, signal?: AbortSignal) => Promise<string | undefined>
}

/** Paints text, or leaves it as it is where colours are not wanted. */
export type Colors = ReturnType<typeof picocolors.createColors>

/** The colours of a screen: what NO_COLOR and FORCE_COLOR say, and else whether it is one. */
export function colorsOf(screen: Screen, env: Terminal['env']): Colors {
  const { NO_COLOR, FORCE_COLOR, TERM } = env
  if (NO_COLOR) return picocolors.createColors(false)
  if (FORCE_COLOR) return picocolors.createColors(FORCE_COLOR !== '0')
  return picocolors.createColors(screen.isTTY === true && TERM !== 'dumb')
}

/** How wide a line may be; what is not a screen has no edge. */
export function columnsOf({ isTTY, columns }: Screen): number {
  return isTTY ? (columns ?? 80) : Infinity
}

/** Writes, and waits while the reader is slower than we are. */
export async function write(screen: Screen, text: string): Promise<void> {
  if (!screen.write(text)) await once(screen, 'drain')
}
