import type { CallBuilder } from '../read/call-builder.ts'
import type { Input, Reader } from '../read/input.ts'
import { TypedValue } from '../read/typed-value.ts'
import { admits } from '../schema/property.ts'
import { readJson } from './read.ts'
import { JsonScanner } from './scanner.ts'
import { type Lookahead, UNSURE } from '../read/lookahead.ts'
import { readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { ahead, DONE, eat, skipSpace, some, space, YES } from '../read/readers.ts'

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

/** Passes the members of the arguments to the builder as the scanner reaches them. */
export class Members {
  readonly #json: JsonScanner
  readonly #builder: CallBuilder
  #value: TypedValue | undefined
  /** The depth of the members. */
  readonly #depth: number
  /** The number of keys read when the value began. */
  #keys = 0

  constructor(json: JsonScanner, builder: CallBuilder) {
    this.#json = json
    this.#builder = builder
    this.#depth = json.depth + 1
    json.knows = (key) =>
      json.depth < this.#depth || !builder.parameters || admits(builder.parameters, key)
  }

  /** Called when the scanner is at a key. */
  start(): void {
    const { key, keys } = this.#json
    this.#builder.member(key)
    const value = new TypedValue(this.#builder, key)
    this.#value = value
    this.#keys = keys
    this.#json.sink = (text, known) => value.write(text, known)
  }

  /**
   * Called when the input ends. After a value, that value is complete; after the last one, all of
   * them are.
   */
  cut(): void {
    const { depth } = this.#json
    if (!this.#json.afterValue(this.#depth)) return
    this.#json.confirm()
    this.next()
    if (depth < this.#depth) this.#builder.finishArguments()
    else this.#builder.keep()
  }

  /** Called when the value before this key, or before the end, is complete. */
  next(): void {
    if (!this.#value) return
    const nextKey = this.#json.why === 'key' ? 1 : 0
    this.#builder.keys += this.#json.keys - this.#keys - nextKey
    this.#value.end()
    this.#value = undefined
  }
}

/** Advances to the `{` of an object, past a code fence or an extra brace around it. */
export function openFence(input: Input, builder: CallBuilder): Reader<boolean> {
  const here = skipSpace(input) && input.code() === 123
  const doubled = here && builder.mayRepair && !builder.markerless && input.compare('{{') !== 'none'
  return here && !doubled ? YES : openSlowly(input, builder)
}

function* openSlowly(input: Input, builder: CallBuilder): Reader<boolean> {
  yield* space(input)
  if ((yield* ahead(input, '```')) && builder.mayRepair) {
    const from = input.place
    input.cursor += 3
    yield* readLabel(input, BEGINS)
    builder.repair('fence', from, '')
  }
  yield* some(input)
  if (input.code() === 123) {
    // Templates escape braces by doubling them.
    if (builder.mayRepair && !builder.markerless && (yield* eat(input, '{{'))) {
      input.cursor--
      builder.repair('extra-bracket', input.place - 1, '')
    }
    return true
  }
  return builder.fail(input.length > 0 ? 'syntax' : 'cut', '"{"')
}

/** Tests whether an object may begin here. */
export function lookAheadAtObject(look: Lookahead, from: number): number {
  const at = look.visible(from)
  if (at < 0 || look.input.code(at) === 123) return Math.min(at, UNSURE)
  const fence = look.input.compare('```', false, at)
  if (fence === 'none') return look.refuse('"{"', at)
  return fence === 'all' ? UNSURE : look.more
}

/** Skips the closing fence, if one was opened. */
export function closeFence(input: Input, builder: CallBuilder): Reader<void> {
  return builder.repairs.includes('fence') ? closeOpened(input, builder) : DONE
}

function* closeOpened(input: Input, builder: CallBuilder): Reader<void> {
  yield* space(input)
  if (yield* eat(input, '```')) builder.repair('fence', input.place - 3, '')
}

const BEGINS = new Marks(['{'])
