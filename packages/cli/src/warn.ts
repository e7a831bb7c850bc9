import { colorsOf, type Terminal } from './terminal.ts'

/** Says on standard error what is odd but does not stop the command. */
export function warn(message: string, { errors, env }: Terminal): void {
  errors.write(`${colorsOf(errors, env).yellow('warning:')} ${message}\n`)
}
