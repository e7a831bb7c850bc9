import { canonicalJson } from '@toolglot/permissions/internal'
import type { Tool } from '../../tool/tool.ts'
import type { RunCall } from '../event.ts'
import type { DuplicateOptions } from '../options.ts'
import type { Skipped } from './run-call.ts'
import type { ToolOutcome } from './tool-outcome.ts'

/** An earlier call. */
interface EarlierCall {
  readonly id: string
  readonly key: string
  readonly outcome: Pick<ToolOutcome, 'status' | 'text' | 'data'>
  /** True if the call may have changed something. */
  readonly changes: boolean
}

/**
 * Detects loops: a call repeated although nothing has changed in between, or a cycle of a few
 * calls. After a tool that changes something, repeating any call is allowed.
 */
export class Repeats {
  readonly #window: number
  #earlier: EarlierCall[] = []
  #hits = 0

  constructor({ detect = true, window = DEFAULT_WINDOW }: DuplicateOptions = {}) {
    this.#window = detect ? window : 0
  }

  /**
   * Finds the same call made earlier, if repeating it could return nothing new or would make a
   * change twice.
   */
  find(name: string, args: unknown): EarlierCall | undefined {
    if (this.#window === 0) return undefined
    const key = keyOf(name, args)
    const last = this.#earlier.length - 1
    for (let at = last; at >= 0 && at > last - this.#window; at--) {
      const earlier = this.#earlier[at]!
      if (earlier.key === key) return earlier
      if (earlier.changes) break
    }
    return this.#isCycle(key)
      ? this.#earlier.filter((earlier) => earlier.key === key).at(-1)
      : undefined
  }

  /** Counts a call that has ended. Returns the number of consecutive repetitions. */
  record(
    { id, name, args }: Pick<RunCall, 'id' | 'name' | 'args'>,
    outcome: Pick<ToolOutcome, 'status' | 'text' | 'data' | 'repeats'> & Validity,
    tool: Pick<Tool, 'access'> | undefined,
  ): number {
    const { status, text, data, repeats } = outcome
    if (status === 'duplicate' || repeats !== undefined) return ++this.#hits
    // A call that did not run may be repeated.
    if (NOT_RUN.has(status) || isToBeRewritten(outcome)) return this.#hits
    this.#hits = 0
    const changes = tool !== undefined && !tool.access.readOnly && status !== 'denied'
    const kept = { status, text, data }
    this.#earlier.push({ id, key: keyOf(name, args), outcome: kept, changes })
    if (this.#earlier.length > Math.max(this.#window, DEFAULT_WINDOW)) this.#earlier.shift()
    return 0
  }

  /**
   * True if this call would complete the third round of a cycle of two to four calls with the same
   * outputs.
   */
  #isCycle(key: string): boolean {
    const keys = [...this.#earlier.map((earlier) => earlier.key), key]
    const outputs = this.#earlier.map((earlier) => earlier.outcome.text)
    for (let length = 2; length <= 4; length++) {
      const from = keys.length - 3 * length
      if (from < 0) continue
      const isSame = keys.slice(from + length).every((each, at) => each === keys[from + at])
      const hasSameOutputs = outputs
        .slice(from + length)
        .every((each, at) => each === outputs[from + at])
      if (isSame && hasSameOutputs) return true
    }
    return false
  }
}

/** Marks calls that were themselves invalid. */
interface Validity {
  readonly invalid?: true | undefined
}

/** True if a call was rejected only because of its notation. */
export function isToBeRewritten({
  status,
  invalid,
}: Validity & { readonly status?: ToolOutcome['status'] }): boolean {
  return status === 'denied' && invalid === true
}

const NOT_RUN: ReadonlySet<ToolOutcome['status']> = new Set(['cancelled', 'cut_off', 'not_run'])

/** Enough for three rounds of four calls. */
const DEFAULT_WINDOW = 16

function keyOf(name: string, args: unknown): string {
  return canonicalJson([name, args])
}

/**
 * The outcome of a call that repeats an earlier one. It never reports a change as if it had
 * happened twice.
 */
export function repeated(
  earlier: EarlierCall,
  name: string,
  isReused: boolean,
  warning: DuplicateOptions['warning'],
): Skipped {
  const { id: repeats, outcome, changes } = earlier
  if (isReused && outcome.status === 'success') return { ...outcome, repeats }
  const { text } = outcome
  const head = text.length > 2000 ? `${text.slice(0, 2000)}…` : text
  const why = changes
    ? 'It was not run a second time, because it may change something.'
    : 'Nothing has changed since, so it was not run again.'
  if (warning)
    return { status: 'duplicate', text: `${warning(name)} Its result was:\n${head}`, repeats }
  return {
    status: 'duplicate',
    text: `You already called ${name} with the same arguments. ${why} Its result was:\n${head}\nTry something else, or answer with what you have.`,
    repeats,
  }
}
