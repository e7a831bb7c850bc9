import type { Call, Event, Malformed } from '@toolglot/core'
import { callChecker, type CallChecker, realRepairs } from './call-problems.ts'
import { type Counts, FLAGS, KINDS, type Kind } from './messages.ts'

const NUMBERS = Object.fromEntries(KINDS.map((kind, at) => [kind, at])) as Record<Kind, number>

/**
 * Collects the pieces of a reply event by event, as `collectReply` does at once, so that every step
 * of a replay is known: pieces are only added, and only the last one grows.
 */
export class ReplyFold {
  readonly kinds: number[] = []
  readonly ends: number[] = []
  readonly flags: number[] = []
  /** The call or malformed piece at each index. */
  readonly values = new Map<number, Call | Malformed>()
  /** The end of the last piece. */
  place = 0
  calls = 0
  cut = 0
  problems = 0
  repairs = 0
  malformed = 0
  forged = 0
  /** The names of the calls that have begun, and the index of the one being written. */
  readonly openNames: string[] = []
  open = -1
  readonly #check: CallChecker

  constructor(check: CallChecker = callChecker()) {
    this.#check = check
  }

  /** The number of findings so far. */
  get counts(): Counts {
    const { calls, cut, problems, repairs, malformed, forged } = this
    return { calls, cut, problems, repairs, malformed, forged }
  }

  add(event: Event): void {
    switch (event.type) {
      case 'text':
      case 'reasoning': {
        const { type, at, delta } = event
        if (at === this.place && this.kinds.at(-1) === NUMBERS[type])
          this.ends[this.ends.length - 1] = this.place = at + delta.length
        else this.#put(type, at, at + delta.length)
        break
      }
      case 'call-start':
        this.open = this.openNames.push(event.name) - 1
        break
      case 'call-delta':
        break
      case 'call-end': {
        const { call } = event
        this.open = -1
        const repairs = realRepairs(call).length
        const problems = this.#check(call).length
        this.calls++
        this.repairs += repairs
        this.problems += problems
        if (!call.complete) this.cut++
        this.#put('call', ...call.span)
        this.flags[this.kinds.length - 1] =
          (repairs > 0 ? FLAGS.repaired : 0) |
          (call.complete ? 0 : FLAGS.cut) |
          (problems > 0 ? FLAGS.problem : 0)
        this.values.set(this.kinds.length - 1, call)
        break
      }
      case 'malformed':
        this.open = -1
        this.malformed++
        this.#put('malformed', ...event.span)
        this.values.set(this.kinds.length - 1, event)
        break
      case 'result':
        this.forged++
        this.#put('made-up', ...event.span)
        break
      case 'end':
        this.open = -1
        this.#mark(event.at)
        break
    }
  }

  #mark(to: number): void {
    if (to <= this.place) return
    this.kinds.push(NUMBERS.mark)
    this.ends.push((this.place = to))
    this.flags.push(0)
  }

  #put(kind: Kind, from: number, to: number): void {
    this.#mark(from)
    this.kinds.push(NUMBERS[kind])
    this.ends.push((this.place = to))
    this.flags.push(0)
  }
}
