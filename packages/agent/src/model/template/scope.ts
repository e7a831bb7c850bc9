import type { Value } from './value.ts'

/** Variables, and those of the block around. */
export class Scope {
  readonly #variables = new Map<string, Value>()
  readonly #parent: Scope | undefined
  #lazy: { readonly name: string; readonly make: () => Value } | undefined

  constructor(parent?: Scope) {
    this.#parent = parent
  }

  get(name: string): Value {
    const value = this.#variables.get(name)
    if (value !== undefined || this.#variables.has(name)) return value
    if (this.#lazy?.name !== name) return this.#parent?.get(name)
    const made = this.#lazy.make()
    this.set(name, made)
    return made
  }

  set(name: string, value: Value): void {
    this.#variables.set(name, value)
  }

  /** Sets a variable that is made when it is first read. There is one at most. */
  setLazily(name: string, make: () => Value): void {
    this.#lazy = { name, make }
  }
}
