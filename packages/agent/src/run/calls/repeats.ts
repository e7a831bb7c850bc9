import { canonicalJson } from '@toolglot/permissions/internal'

/** A call that was run, or would have been. */
interface Made {
  readonly key: string
  readonly output: string
  readonly changes: boolean
}

/**
 * Notices when a model goes round in circles: a call made again though nothing has changed since, or a few calls over and
 * over. What a tool that changes something did makes every other call worth repeating.
 */
export class Repeats {
  #made: Made[] = []
  #hits = 0

  /** What the call gave when it was made before, if making it again can give nothing new. */
  find(name: string, args: unknown): string | undefined {
    const key = keyOf(name, args)
    for (let at = this.#made.length - 1; at >= 0; at--) {
      const made = this.#made[at]!
      if (made.key === key) return made.output
      if (made.changes) break
    }
    return this.#isCycle(key)
      ? this.#made.filter((made) => made.key === key).at(-1)?.output
      : undefined
  }

  /** Counts a repetition; gives how many there were in a row. */
  hit(): number {
    return ++this.#hits
  }

  add(name: string, args: unknown, output: string, changes: boolean): void {
    this.#hits = 0
    this.#made.push({ key: keyOf(name, args), output, changes })
    if (this.#made.length > WINDOW) this.#made.shift()
  }

  /** Whether this call would end the third round of a cycle of two to four calls that gave the same each time. */
  #isCycle(key: string): boolean {
    const keys = [...this.#made.map((made) => made.key), key]
    const outputs = this.#made.map((made) => made.output)
    for (let length = 2; length <= 4; length++) {
      const from = keys.length - 3 * length
      if (from < 0) continue
      const isSame = keys.slice(from + length).every((each, at) => each === keys[from + at])
      const gaveSame = outputs.slice(from + length).every((each, at) => each === outputs[from + at])
      if (isSame && gaveSame) return true
    }
    return false
  }
}

const WINDOW = 16

function keyOf(name: string, args: unknown): string {
  return canonicalJson([name, args])
}
