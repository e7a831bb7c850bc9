import type { Draft } from '../read/draft.ts'
import type { Input, Reader } from '../read/input.ts'
import { TypedValue } from '../read/typed-value.ts'
import { admits } from '../schema/property.ts'
import { closeFence, openFence } from './fence.ts'
import { readJson } from './read.ts'
import { JsonScanner } from './scanner.ts'

/** Reads a JSON object as the arguments. */
export function* readArguments(input: Input, draft: Draft): Reader<boolean> {
  if (!(yield* openFence(input, draft))) return false
  const json = new JsonScanner()
  const members = new Members(json, draft)
  for (;;) {
    if (!(yield* readJson(input, json, draft))) {
      members.cut()
      return false
    }
    members.next()
    if (json.why === 'done') break
    members.start()
  }
  draft.finishArguments()
  draft.closed = true
  yield* closeFence(input, draft)
  return true
}

/** The members of the arguments, as the scanner reaches them. */
export class Members {
  readonly #json: JsonScanner
  readonly #draft: Draft
  #value: TypedValue | undefined
  /** The depth of the members. */
  readonly #depth: number
  /** How many keys had been read when the value began. */
  #keys = 0

  constructor(json: JsonScanner, draft: Draft) {
    this.#json = json
    this.#draft = draft
    this.#depth = json.depth + 1
    json.knows = (key) =>
      json.depth < this.#depth || !draft.parameters || admits(draft.parameters, key)
  }

  /** The scanner is at a key. */
  start(): void {
    const { key, keys } = this.#json
    this.#draft.member(key)
    const value = new TypedValue(this.#draft, key)
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
    if (depth < this.#depth) this.#draft.finishArguments()
    else this.#draft.keep()
  }

  /** The value before this key, or before the end, is whole. */
  next(): void {
    if (!this.#value) return
    const nextKey = this.#json.why === 'key' ? 1 : 0
    this.#draft.keys += this.#json.keys - this.#keys - nextKey
    this.#value.end()
    this.#value = undefined
  }
}
