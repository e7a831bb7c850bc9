import type { ReplyFold } from './reply-fold.ts'

/** The same for readings that differ only in the protocol that they name. */
export function readingKey({ kinds, ends, values }: ReplyFold): string {
  const hash = new Hash()
  for (let at = 0; at < kinds.length; at++) {
    hash.add(kinds[at]!)
    hash.add(ends[at]!)
    const value = values.get(at)
    if (!value) continue
    hash.addText(
      'args' in value
        ? JSON.stringify([value.name, value.args, value.complete, value.repairs])
        : JSON.stringify([value.problem, value.at]),
    )
  }
  return hash.text()
}

/** Two numbers of 32 bits: enough to tell a hundred readings apart. */
class Hash {
  #one = 0x811c9dc5
  #two = 0x9e3779b9

  add(number: number): void {
    this.#one = Math.imul(this.#one ^ number, 0x01000193)
    this.#two = Math.imul(this.#two ^ number, 0x85ebca6b) ^ (this.#two >>> 13)
  }

  addText(text: string): void {
    this.add(text.length)
    for (let at = 0; at < text.length; at++) this.add(text.charCodeAt(at))
  }

  text(): string {
    return `${this.#one >>> 0}-${this.#two >>> 0}`
  }
}
