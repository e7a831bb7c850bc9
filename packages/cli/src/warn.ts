import { colorsOf, type Terminal } from './terminal.ts'

/** Prints a warning to standard error. */
export function warn(message: string, { errors, env }: Terminal): void {
  errors.write(`${colorsOf(errors, env).yellow('warning:')} ${message}\n`)
}
