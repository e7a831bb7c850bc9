import type { Token } from './llama/library.ts'
import type { NextToken, TokenContext } from './llama/llama-process.ts'

/** Assembles the text of a reply from its tokens, including marks such as `<tool_call>`. */
export class TokenText {
  /** The tokens since the last complete character. */
  #pending: readonly Token[] = []
  #text = ''
  /** The tokens before those: some models write a space only between two tokens. */
  #before: readonly Token[]

  constructor(before: readonly Token[]) {
    this.#before = before.slice(-MAX_BEFORE)
  }

  /** The tokens that determine the text of the next one. */
  get context(): TokenContext {
    return { pending: this.#pending, before: this.#before }
  }

  /**
   * Adds a token and returns its text, which is empty if its last character is still incomplete.
   */
  add({ token, text }: Pick<NextToken, 'token' | 'text'>): string {
    this.#pending = [...this.#pending, token]
    this.#text = text
    const isCut = text.endsWith('\ufffd') && this.#pending.length < MAX_PENDING
    return isCut ? '' : this.end()
  }

  /** Returns the remaining text at the end. */
  end(): string {
    const text = this.#text
    this.#before = [...this.#before, ...this.#pending].slice(-MAX_BEFORE)
    this.#pending = []
    this.#text = ''
    return text
  }
}

/** A character has at most four bytes, so it has at most four tokens. */
const MAX_PENDING = 4
const MAX_BEFORE = 8
