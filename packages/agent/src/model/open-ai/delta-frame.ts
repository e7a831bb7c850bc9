import type { ModelChunk } from '../model.ts'

type Delta = Extract<ModelChunk, { type: 'text' } | { type: 'reasoning' }>

/**
 * The JSON that a server repeats around each delta. Once it is known, deltas are extracted from
 * events without parsing them.
 *
 * This nearly halves the work of the gateway: `npm run bench -- gateway throughput` took 19.3 and
 * 18.2 s of the gateway's CPU with it, and 33.9 and 33.5 s without it. That is 0.60 compared to
 * 0.31–0.37 of a bare proxy's throughput (November 2026, two busy cores, alternating runs).
 */
export class DeltaFrame {
  readonly #parse: (json: string) => readonly ModelChunk[]
  #type: Delta['type'] = 'text'
  #before = ''
  #after = ''
  /** The number of frames learned since the last match. */
  #misses = 0

  /** `parse` reads an event independently of earlier ones. */
  constructor(parse: (json: string) => readonly ModelChunk[]) {
    this.#parse = parse
  }

  /**
   * Returns the delta of an event that matches the frame, or undefined if the event must be parsed.
   */
  read(json: string): Delta | undefined {
    const from = this.#before.length
    const to = json.length - this.#after.length
    if (from === 0 || to < from) return undefined
    // Much faster than `startsWith`.
    if (json.slice(0, from) !== this.#before || json.slice(to) !== this.#after) return undefined
    const delta = json.slice(from, to)
    if (NOT_LITERAL.test(delta)) return undefined
    this.#misses = 0
    return { type: this.#type, delta }
  }

  /** Learns the frame of an event with a single delta. */
  learn(json: string, chunks: readonly ModelChunk[]): void {
    const [only, ...others] = chunks
    if (!only || others.length > 0 || (only.type !== 'text' && only.type !== 'reasoning')) return
    const { type, delta } = only
    const at = json.lastIndexOf(`"${delta}"`) + 1
    if (at === 0 || NOT_LITERAL.test(delta) || this.#misses > MAX_MISSES) return
    this.#misses++
    const before = json.slice(0, at)
    const after = json.slice(at + delta.length)
    // The delta's text may also occur elsewhere in the event.
    if (!isOnly(this.#tryParse(before + PROBE + after), { type, delta: PROBE })) return
    this.#type = type
    this.#before = copyOf(before)
    this.#after = copyOf(after)
  }

  #tryParse(json: string): readonly ModelChunk[] {
    try {
      return this.#parse(json)
    } catch {
      // The result is not valid JSON, so the match was not a whole string.
      return []
    }
  }
}

/** Copies a string. A slice would keep the larger string in memory. */
function copyOf(text: string): string {
  return text.split('').join('')
}

/** The end of a JSON string, an escape, or a character that a JSON string must not contain. */
// oxlint-disable-next-line no-control-regex
const NOT_LITERAL = /["\\\u0000-\u001f]/

const PROBE = 'probe'

/** The number of attempts, for servers whose events differ in more than the delta. */
const MAX_MISSES = 16

function isOnly([first, ...others]: readonly ModelChunk[], { type, delta }: Delta): boolean {
  return first?.type === type && first.delta === delta && others.length === 0
}
