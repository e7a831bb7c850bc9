import { canonicalJson } from '@toolglot/permissions/internal'

/** A call that was made before. */
interface EarlierCall {
  readonly key: string
  readonly output: string
  readonly changes: boolean
}

/**
 * Detects loops: a call that is repeated although nothing has changed since, or a few calls over and over. After a tool
 * that changes something, every call is worth repeating.
 */
export class Repeats {
  #earlier: EarlierCall[] = []
  #hits = 0

  /** The earlier output of a call, if calling it again cannot return anything new. */
  find(name: string, args: unknown): string | undefined {
    const key = keyOf(name, args)
    for (let at = this.#earlier.length - 1; at >= 0; at--) {
      const earlier = this.#earlier[at]!
      if (earlier.key === key) return earlier.output
      if (earlier.changes) break
    }
    return this.#isCycle(key)
      ? this.#earlier.filter((earlier) => earlier.key === key).at(-1)?.output
      : undefined
  }

  /** Counts a repetition, and returns how many there were in a row. */
  countHit(): number {
    return ++this.#hits
  }

  add(name: string, args: unknown, output: string, changes: boolean): void {
    this.#hits = 0
    this.#earlier.push({ key: keyOf(name, args), output, changes })
    if (this.#earlier.length > WINDOW) this.#earlier.shift()
  }

  /** Whether this call would complete the third round of a cycle of two to four calls with the same outputs. */
  #isCycle(key: string): boolean {
    const keys = [...this.#earlier.map((earlier) => earlier.key), key]
    const outputs = this.#earlier.map((earlier) => earlier.output)
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

const WINDOW = 16

function keyOf(name: string, args: unknown): string {
  return canonicalJson([name, args])
}
