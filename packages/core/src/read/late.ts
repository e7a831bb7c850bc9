import { Pieces } from './input.ts'

/** An argument whose key resembles another one. */
interface NearMiss {
  readonly key: string
  /** The argument that the key probably means, or undefined if the argument is dropped. */
  readonly name: string | undefined
  readonly json: Pieces
  /** The place where the value begins. */
  readonly place: number
  /**
   * Before the argument is read, the number of keys written so far; afterwards, the number of keys
   * in it.
   */
  keys: number
}

/** Arguments that can be written only after all others are known. */
export class Late {
  readonly nearMisses: NearMiss[] = []
  /** The values of arguments that may be repeated, and the functions that write them. */
  readonly #repeated = new Map<string, { texts: string[]; write: (texts: string[]) => void }>()
  #open: NearMiss | undefined

  /** Begins an argument. Returns the number of keys including it. */
  open(key: string, name: string | undefined, place: number, keys: number): number {
    this.#open = { key, name, json: new Pieces(), place, keys }
    if (name !== undefined) this.nearMisses.push(this.#open)
    return keys + 1
  }

  /** Ends the open argument, if any. Returns the number of keys without dropped ones. */
  endOpen(keys: number): number {
    const open = this.#open
    if (!open) return keys
    this.#open = undefined
    const before = open.keys
    open.keys = keys - before
    return open.name === undefined ? before : keys
  }

  /** Adds JSON to the value of the open argument. Returns false if no argument is open. */
  take(json: string): boolean {
    if (this.#open?.name !== undefined) this.#open.json.add(json)
    return this.#open !== undefined
  }

  /** Collects the text of an argument. False if it is not the first with this name. */
  collect(key: string, text: string, write: (texts: string[]) => void): boolean {
    const known = this.#repeated.get(key)
    if (known) known.texts.push(text)
    else this.#repeated.set(key, { texts: [text], write })
    return !known
  }

  /** Writes the collected values. Returns the number of names. */
  writeCollected(): number {
    const all = [...this.#repeated.values()]
    this.#repeated.clear()
    for (const { texts, write } of all) write(texts)
    return all.length
  }
}
