import type { Call, Event } from '@toolglot/core'
import type { RunCall } from '../event.ts'

/** Creates the id of a call. Calls in text and native calls are numbered separately. */
export type MakeId = (index: number, isNative?: boolean) => string

/**
 * Gives the calls of a reply ids that are unique in the run. Models reuse ids, so a model's id is
 * only kept as `modelId`, unless an earlier call of the reply has the same one.
 */
export class CallIds {
  readonly #makeId: MakeId | undefined
  readonly #modelIds = new Set<string>()
  readonly #indexes = new Map<number, number>()
  readonly #nativeIndexes = new Map<number, number>()

  constructor(makeId: MakeId | undefined) {
    this.#makeId = makeId
  }

  /** The id of the call with this index. */
  idOf(index: number, modelId: string | undefined, isNative = false): string {
    return this.#makeId?.(index, isNative) ?? modelId ?? `call-${index}`
  }

  /** Renames a call to its unique id. Its current id was chosen by the model. */
  rename(
    index: number,
    { id: modelId, ...call }: Omit<Call, 'id'> & { id?: string | undefined },
    isNative = false,
  ): RunCall {
    const id = this.idOf(index, modelId, isNative)
    const isKept =
      modelId !== undefined && modelId !== id && VALID.test(modelId) && !this.#modelIds.has(modelId)
    if (isKept) this.#modelIds.add(modelId)
    return { ...call, id, ...(isKept && { modelId }) }
  }

  /** The index of a call among all calls of the reply, both in text and native. */
  indexOf(index: number, isNative = false): number {
    const indexes = isNative ? this.#nativeIndexes : this.#indexes
    let found = indexes.get(index)
    if (found === undefined) {
      found = this.#indexes.size + this.#nativeIndexes.size
      indexes.set(index, found)
    }
    return found
  }

  /** An event of a call in text, with the unique id. */
  event(event: Event): Event {
    if (!('index' in event) || event.index === undefined) return event
    const index = this.indexOf(event.index)
    if (event.type === 'call-start')
      return { ...event, index, id: this.idOf(event.index, event.id) }
    if (event.type === 'call-end')
      return { ...event, index, call: this.rename(event.index, event.call) }
    return index === event.index ? event : { ...event, index }
  }
}

/** The form of ids that servers accept. Others are not sent back. */
const VALID = /^[\w.:-]{1,100}$/

/** Creates a call id from nine letters and digits, which even the strictest servers accept. */
export function newCallId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => ID[byte % 36]).join('')
}

const ID = 'abcdefghijklmnopqrstuvwxyz0123456789'
