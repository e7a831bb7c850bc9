/** A new id for a call: nine letters and digits, as the strictest servers want them. */
export function newCallId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => ID[byte % 36]).join('')
}

const ID = 'abcdefghijklmnopqrstuvwxyz0123456789'
