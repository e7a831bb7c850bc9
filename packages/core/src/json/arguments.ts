import type { CallBuilder } from '../read/call-builder.ts'
import type { Input, Reader } from '../read/input.ts'
import { TypedValue } from '../read/typed-value.ts'
import { admits } from '../schema/property.ts'
import { closeFence, openFence } from './fence.ts'
import { readJson } from './read.ts'
import { JsonScanner } from './scanner.ts'

/** Reads a JSON object as the arguments. */
export function* readArguments(input: Input, builder: CallBuilder): Reader<boolean> {
  if (!(yield* openFence(input, builder))) return false
  const json = new JsonScanner()
  const members = new Members(json, builder)
  for (;;) {
    if (!(yield* readJson(input, json, builder))) {
      members.cut()
      return false
    }
    members.next()
    if (json.why === 'done') break
    members.start()
  }
  builder.finishArguments()
  builder.closed = true
  yield* closeFence(input, builder)
  return true
}

/** The members of the arguments, as the scanner reaches them. */
export class Members {
  readonly #json: JsonScanner
  readonly #builder: CallBuilder
  #value: TypedValue | undefined
  /** The depth of the members. */
  readonly #depth: number
  /** How many keys had been read when the value began. */
  #keys = 0

  constructor(json: JsonScanner, builder: CallBuilder) {
    this.#json = json
    this.#builder = builder
    this.#depth = json.depth + 1
    json.knows = (key) =>
      json.depth < this.#depth || !builder.parameters || admits(builder.parameters, key)
  }

  /** The scanner is at a key. */
  start(): void {
    const { key, keys } = this.#json
    this.#builder.member(key)
    const value = new TypedValue(this.#builder, key)
    this.#value = value
    this.#keys = keys
    this.#json.sink = (text, known) => value.write(text, known)
  }

  /** The input ended here: after a value, that value is whole; after the last one, all of them are. */
  cut(): void {
    const { depth } = this.#json
    if (!this.#json.afterValue(this.#depth)) return
    this.#json.confirm()
    this.next()
    if (depth < this.#depth) this.#builder.finishArguments()
    else this.#builder.keep()
  }

  /** The value before this key, or before the end, is whole. */
  next(): void {
    if (!this.#value) return
    const nextKey = this.#json.why === 'key' ? 1 : 0
    this.#builder.keys += this.#json.keys - this.#keys - nextKey
    this.#value.end()
    this.#value = undefined
  }
}
