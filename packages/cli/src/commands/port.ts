import { InvalidArgumentError } from 'commander'

/** The port that was typed; 0 means any free one. */
export function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('Expected a number from 0 to 65535.')
  return port
}
