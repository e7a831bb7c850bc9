/**
 * Ends a text at the first complete stop sequence. A possible start of a sequence is held back
 * until the next characters decide. The work per character and sequence is constant.
 */
export class StopSequences {
  readonly #matchers: readonly Matcher[]
  #held = ''
  #matched: string | undefined

  constructor(sequences: readonly string[]) {
    this.#matchers = sequences.map((sequence) => new Matcher(sequence))
  }

  /** The sequence that ended the text. */
  get matched(): string | undefined {
    return this.#matched
  }

  /** Adds the next piece. Returns the text that is certainly not part of a sequence. */
  add(delta: string): string {
    if (this.#matchers.length === 0) return delta
    if (this.#matched !== undefined) return ''
    const text = this.#held + delta
    let longest = 0
    for (let at = this.#held.length; at < text.length; at++) {
      const code = text.charCodeAt(at)
      longest = 0
      for (const matcher of this.#matchers) {
        const length = matcher.read(code)
        if (length === matcher.sequence.length && length > (this.#matched?.length ?? 0))
          this.#matched = matcher.sequence
        longest = Math.max(longest, length)
      }
      if (this.#matched === undefined) continue
      this.#held = ''
      return text.slice(0, at + 1 - this.#matched.length)
    }
    if (delta === '') return ''
    this.#held = text.slice(text.length - longest)
    return text.slice(0, text.length - longest)
  }

  /** Returns the held-back text, because the text is over or other content follows. */
  flush(): string {
    const held = this.#held
    this.#held = ''
    for (const matcher of this.#matchers) matcher.forget()
    return held
  }
}

/**
 * Counts how many characters of a sequence match the end of a text, by the Knuth-Morris-Pratt
 * algorithm.
 */
class Matcher {
  readonly sequence: string
  /** For each prefix of the sequence, the length of its longest proper border. */
  readonly #shorter: Uint32Array
  #length = 0

  constructor(sequence: string) {
    this.sequence = sequence
    this.#shorter = new Uint32Array(sequence.length + 1)
    for (let at = 1; at < sequence.length; at++) {
      this.#shorter[at + 1] = this.read(sequence.charCodeAt(at))
    }
    this.forget()
  }

  /** Reads the next character. Returns the number of matching characters. */
  read(code: number): number {
    let length = this.#length
    while (length > 0 && this.sequence.charCodeAt(length) !== code) length = this.#shorter[length]!
    if (this.sequence.charCodeAt(length) === code) length++
    this.#length = length
    return length
  }

  forget(): void {
    this.#length = 0
  }
}
