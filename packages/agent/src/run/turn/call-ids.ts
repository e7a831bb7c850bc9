import type { Call, Event } from '@toolglot/core'
import type { RunCall } from '../event.ts'

/**
 * Gives the calls of a reply ids that are unique in the run. Models repeat theirs: a model's own id is kept beside, unless
 * an earlier call of the reply has the same.
 */
export class CallIds {
  readonly #makeId: ((index: number) => string) | undefined
  readonly #modelIds = new Set<string>()

  constructor(makeId: ((index: number) => string) | undefined) {
    this.#makeId = makeId
  }

  /** The id of the call with this index. Calls in text and native calls are numbered separately. */
  idOf(index: number, modelId: string | undefined, isNative = false): string {
    const own = this.#makeId?.(index)
    if (own === undefined) return modelId ?? `call-${index}`
    return isNative ? `${own}-native` : own
  }

  /** The call with its own id. `makeId` is the same function that made the ids of calls without one. */
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

  /** The event of a call in text, with its own id. */
  event(event: Event): Event {
    if (event.type === 'call-start') return { ...event, id: this.idOf(event.index, event.id) }
    if (event.type === 'call-end') return { ...event, call: this.rename(event.index, event.call) }
    return event
  }
}

/** Ids that servers use. Anything else is not worth sending back. */
const VALID = /^[\w.:-]{1,100}$/
