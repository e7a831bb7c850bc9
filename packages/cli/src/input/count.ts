import { InvalidArgumentError } from 'commander'

/** Reads a positive number of things from the command line. */
export function countOf(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('Expected a positive integer.')
  return count
}
