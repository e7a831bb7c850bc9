/** Finds the first of several strings in text that arrives in pieces. */
export class StopStrings {
  readonly #strings: readonly string[]
  /** The end of the text, which may be the start of a stop string. */
  #held = ''

  constructor(strings: readonly string[]) {
    this.#strings = strings.filter((text) => text !== '')
  }

  /** Adds a piece. Returns the text that is certain now, and the stop string found after it. */
  add(piece: string): { readonly text: string; readonly stopped: string | undefined } {
    const text = this.#held + piece
    let end = Infinity
    let stopped: string | undefined
    for (const each of this.#strings) {
      const at = text.indexOf(each)
      if (at < 0 || at >= end) continue
      end = at
      stopped = each
    }
    if (stopped !== undefined) {
      this.#held = ''
      return { text: text.slice(0, end), stopped }
    }
    const kept = Math.max(0, ...this.#strings.map((each) => overlap(text, each)))
    this.#held = text.slice(text.length - kept)
    return { text: text.slice(0, text.length - kept), stopped }
  }

  /** Returns the held-back text at the end of the reply. */
  end(): string {
    const text = this.#held
    this.#held = ''
    return text
  }
}

/** The length of the longest end of the text that is also a beginning of the string. */
function overlap(text: string, string: string): number {
  for (let length = Math.min(text.length, string.length - 1); length > 0; length--) {
    if (text.endsWith(string.slice(0, length))) return length
  }
  return 0
}
