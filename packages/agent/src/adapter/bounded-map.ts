/** A map with a maximum total size. Its oldest values are dropped first. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>()
  readonly #maxSize: number
  #size = 0

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  /** Adds a value as the newest one. A value larger than the maximum is not kept. */
  set(key: string, value: Value, size: number): void {
    this.#delete(key)
    if (size > this.#maxSize) return
    this.#entries.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break
      this.#delete(oldest)
    }
  }

  #delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0
    this.#entries.delete(key)
  }
}
