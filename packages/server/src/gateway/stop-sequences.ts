/**
 * Ends a text where the first of some sequences is complete. What may be the beginning of one is held back until it is known
 * whether it is. Each character is looked at a constant number of times for each sequence.
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

  /** Takes more of the text. Returns the part that is certainly before its end. */
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

  /** The text is over, or something else follows: returns the part that was held back. */
  flush(): string {
    const held = this.#held
    this.#held = ''
    for (const matcher of this.#matchers) matcher.forget()
    return held
  }
}

/** How much of the beginning of a sequence a text ends with, by the algorithm of Knuth, Morris and Pratt. */
class Matcher {
  readonly sequence: string
  /** For each beginning of the sequence, the longest shorter one that it ends with. */
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

  /** Reads the next character. Returns how many characters of the sequence the text now ends with. */
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
