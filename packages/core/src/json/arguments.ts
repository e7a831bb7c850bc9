import type { Draft } from '../read/draft.ts'
import type { Input, Reader } from '../read/input.ts'
import { Pieces } from '../read/pieces.ts'
import { coerceValue, insideMayChange, refusesText } from '../schema/coerce.ts'
import { admits } from '../schema/property.ts'
import { duplicateKeyIn } from './duplicate-key.ts'
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

/**
 * The members of the arguments, as the scanner reaches them. A value is handed out as it arrives, unless the tool's schema may
 * require another type: then it is read whole first.
 */
export class Members {
  readonly #json: JsonScanner
  readonly #draft: Draft
  #held: Pieces | undefined
  #key = ''
  /** The depth of the members. */
  readonly #depth: number
  /** Where the value begins. */
  #from = 0
  /** How many keys had been read when the value began; -1: the value is dropped. */
  #keys = -1

  constructor(json: JsonScanner, draft: Draft) {
    this.#json = json
    this.#draft = draft
    this.#depth = json.depth + 1
    json.knows = (key) =>
      json.depth < this.#depth || !draft.parameters || admits(draft.parameters, key)
  }

  /** The scanner is at a key. */
  start(): void {
    const draft = this.#draft
    const key = draft.nameOf(this.#json.key)
    if (key === undefined) return
    this.#keys = this.#json.keys
    draft.member(key)
    this.#key = key
    this.#from = draft.place
    let first = true
    this.#json.sink = (text) => {
      if (first && this.#mustWait(key, text)) this.#held = new Pieces()
      first = false
      if (this.#held) this.#held.add(text)
      else draft.write(text)
    }
  }

  /** Whether a value that begins like this may have to change. */
  #mustWait(key: string, text: string): boolean {
    const draft = this.#draft
    const schema = draft.schemaOf(key)
    if (!schema || !draft.repairsEnabled) return false
    if (text.startsWith('"')) return refusesText(schema, draft.parameters!)
    return /^[[{]/.test(text) && insideMayChange(schema, draft.parameters!)
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
    const draft = this.#draft
    const nextKey = this.#json.why === 'key' ? 1 : 0
    const nested = this.#keys >= 0 ? this.#json.keys - this.#keys - nextKey : 0
    draft.keys += nested
    this.#keys = -1
    if (!this.#held) return
    const text = this.#held.toString()
    this.#held = undefined
    const value: unknown = JSON.parse(text)
    if (duplicateKeyIn(text) !== undefined) draft.repair('duplicate-key', this.#from)
    const changed = coerceValue(value, draft.schemaOf(this.#key), draft.parameters!)
    if (changed === value) {
      if (typeof value === 'string') draft.repair('mistyped', this.#from, value, -1)
      draft.write(text)
    } else if (draft.repair('coerced', this.#from, changed, -1)) {
      // A key that was dropped is not a duplicate.
      draft.keys -= nested
      draft.write(JSON.stringify(changed))
    }
  }
}
