import { Pieces } from './input.ts'

/** An argument whose key seems to mean another one. */
interface NearMiss {
  readonly key: string
  /** The argument that it seems to mean. Undefined: it is dropped. */
  readonly name: string | undefined
  readonly json: Pieces
  /** Where its value begins. */
  readonly place: number
  /** How many keys had been written before it; once it is read, how many it consists of. */
  keys: number
}

/** Arguments that can be written only when all others are known. */
export class Late {
  readonly nearMisses: NearMiss[] = []
  /** Arguments that may be repeated: the texts of each, and what writes them. */
  readonly #repeated = new Map<string, { texts: string[]; write: (texts: string[]) => void }>()
  #open: NearMiss | undefined

  /** Begins an argument. Returns how many keys there are with it. */
  open(key: string, name: string | undefined, place: number, keys: number): number {
    this.#open = { key, name, json: new Pieces(), place, keys }
    if (name !== undefined) this.nearMisses.push(this.#open)
    return keys + 1
  }

  /** The argument that is open, if one is, is whole. Returns how many of these keys are left without those that are dropped. */
  endOpen(keys: number): number {
    const open = this.#open
    if (!open) return keys
    this.#open = undefined
    const before = open.keys
    open.keys = keys - before
    return open.name === undefined ? before : keys
  }

  /** Takes JSON for the value of the argument that is open. False: none is. */
  take(json: string): boolean {
    if (this.#open?.name !== undefined) this.#open.json.add(json)
    return this.#open !== undefined
  }

  /** Keeps the text of an argument. False: it is not the first of this name. */
  collect(key: string, text: string, write: (texts: string[]) => void): boolean {
    const known = this.#repeated.get(key)
    if (known) known.texts.push(text)
    else this.#repeated.set(key, { texts: [text], write })
    return !known
  }

  /** Writes these texts. Returns how many names they had. */
  writeCollected(): number {
    const all = [...this.#repeated.values()]
    this.#repeated.clear()
    for (const { texts, write } of all) write(texts)
    return all.length
  }
}
