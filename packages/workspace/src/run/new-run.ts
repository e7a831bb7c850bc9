import { randomBytes } from 'node:crypto'

/** An id that a person can type. */
export function newRun(): string {
  return `run-${randomBytes(5).toString('hex')}`
}
