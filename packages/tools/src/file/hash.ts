import { createHash } from 'node:crypto'

/** The name of some bytes: the same for the same bytes only. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
