import type { ModelChunk } from '../model.ts'

type Delta = Extract<ModelChunk, { type: 'text' } | { type: 'reasoning' }>

/**
 * The JSON that a server repeats around each delta. Once it is known, a delta is cut out of an event without parsing the
 * event, which takes longer than all else that is done with it.
 */
export class DeltaFrame {
  readonly #parse: (json: string) => readonly ModelChunk[]
  #type: Delta['type'] = 'text'
  #before = ''
  #after = ''
  /** How many frames were learned in vain. */
  #misses = 0

  /** `parse` reads an event, whatever came before it. */
  constructor(parse: (json: string) => readonly ModelChunk[]) {
    this.#parse = parse
  }

  /** The delta in an event that is otherwise the same as the one that was learned; undefined if it has to be parsed. */
  read(json: string): Delta | undefined {
    const from = this.#before.length
    const to = json.length - this.#after.length
    if (from === 0 || to < from) return undefined
    // Slices are compared much faster than `startsWith` compares.
    if (json.slice(0, from) !== this.#before || json.slice(to) !== this.#after) return undefined
    const delta = json.slice(from, to)
    if (NOT_LITERAL.test(delta)) return undefined
    this.#misses = 0
    return { type: this.#type, delta }
  }

  /** Learns what is around the delta in an event. */
  learn(json: string, chunks: readonly ModelChunk[]): void {
    const [only, ...others] = chunks
    if (!only || others.length > 0 || (only.type !== 'text' && only.type !== 'reasoning')) return
    const { type, delta } = only
    const at = json.lastIndexOf(`"${delta}"`) + 1
    if (at === 0 || NOT_LITERAL.test(delta) || this.#misses > MAX_MISSES) return
    this.#misses++
    const before = json.slice(0, at)
    const after = json.slice(at + delta.length)
    // The text may be somewhere else in the event, too.
    if (!isOnly(this.#tryParse(before + PROBE + after), { type, delta: PROBE })) return
    this.#type = type
    this.#before = copyOf(before)
    this.#after = copyOf(after)
  }

  #tryParse(json: string): readonly ModelChunk[] {
    try {
      return this.#parse(json)
    } catch {
      // What was found was not a whole string.
      return []
    }
  }
}

/** The same text by itself: a part of another one would keep that in memory. */
function copyOf(text: string): string {
  return text.split('').join('')
}

/** What ends a JSON string, stands for something else in it, or must not be in it. */
// oxlint-disable-next-line no-control-regex
const NOT_LITERAL = /["\\\u0000-\u001f]/

const PROBE = 'probe'

/** A server whose events differ in more than the delta is not worth it. */
const MAX_MISSES = 16

function isOnly([first, ...others]: readonly ModelChunk[], { type, delta }: Delta): boolean {
  return first?.type === type && first.delta === delta && others.length === 0
}
