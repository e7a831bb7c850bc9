/** Thrown where what came is no reply: whoever reads it says whose it is. */
export class Garbled extends Error {}

export function garbled(message: string): Garbled {
  return new Garbled(message)
}
