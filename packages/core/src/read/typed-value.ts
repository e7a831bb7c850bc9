import { duplicateKeyIn } from '../json/text.ts'
import { insideMayChange, refusesText } from '../schema/coerce.ts'
import type { Argument, CallBuilder } from './call-builder.ts'
import { Pieces } from './input.ts'

/**
 * The value of an argument as JSON. It is passed on as it arrives, unless the tool's schema may
 * require a conversion; then it is read whole first.
 */
export class TypedValue {
  readonly #builder: CallBuilder
  readonly #argument: Argument | undefined
  /** The place where the value begins, and the number of keys before it. */
  readonly #from: number
  readonly #keys: number
  #begun = false
  #held: Pieces | undefined

  /** Begins an argument. */
  constructor(builder: CallBuilder, key: string) {
    this.#builder = builder
    this.#argument = builder.repairsEnabled ? builder.argument(key) : undefined
    this.#from = builder.place
    this.#keys = builder.keys
  }

  /** Adds more of the value. `value` is set if this text is the whole value. */
  write(json: string, value?: string): void {
    // Testing a long joined text would copy it.
    if (!this.#begun && this.#mustWait(value === undefined ? json : '"')) this.#held = new Pieces()
    this.#begun = true
    if (this.#held) this.#held.add(json)
    else this.#builder.write(json, value)
  }

  /** True if a value with this beginning may need a conversion. */
  #mustWait(json: string): boolean {
    const argument = this.#argument
    const schema = argument?.schema
    if (!schema) return false
    const root = this.#builder.parameters!
    if (json.startsWith('"')) return (argument.refusesText ??= refusesText(schema, root))
    return /^[[{]/.test(json) && (argument.insideMayChange ??= insideMayChange(schema, root))
  }

  /** Ends the value. */
  end(): void {
    if (!this.#held) return
    const builder = this.#builder
    const text = this.#held.toString()
    this.#held = undefined
    const value: unknown = JSON.parse(text)
    if (duplicateKeyIn(text) !== undefined) builder.repair('duplicate-key', this.#from)
    const made = builder.coerced(value, this.#argument!.schema, (changed) => [
      'coerced',
      this.#from,
      changed,
      -1,
    ])
    if (made === value) {
      if (typeof value === 'string') builder.repair('mistyped', this.#from, value, -1)
      builder.write(text)
    } else {
      // A dropped key is not a duplicate.
      builder.keys = this.#keys
      builder.write(JSON.stringify(made))
    }
  }
}
