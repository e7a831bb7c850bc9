import type { Token } from './llama/library.ts'
import type { NextToken, TokenContext } from './llama/llama-process.ts'

/** Assembles the text of a reply from its tokens. Marks such as `<tool_call>` are part of it. */
export class TokenText {
  /** Tokens whose last character is not complete, and their text. */
  #pending: readonly Token[] = []
  #text = ''
  /** The tokens before: some models write a space only between two tokens. */
  #before: readonly Token[]

  constructor(before: readonly Token[]) {
    this.#before = before.slice(-MAX_BEFORE)
  }

  /** The context on which the text of the next token depends. */
  get context(): TokenContext {
    return { pending: this.#pending, before: this.#before }
  }

  /** The text of a token; empty if its last character is continued in the next one. */
  add({ token, text }: Pick<NextToken, 'token' | 'text'>): string {
    this.#pending = [...this.#pending, token]
    this.#text = text
    const isCut = text.endsWith('\ufffd') && this.#pending.length < MAX_PENDING
    return isCut ? '' : this.end()
  }

  /** The text that is left at the end. */
  end(): string {
    const text = this.#text
    this.#before = [...this.#before, ...this.#pending].slice(-MAX_BEFORE)
    this.#pending = []
    this.#text = ''
    return text
  }
}

/** A character has at most four bytes, so at most as many tokens. */
const MAX_PENDING = 4
const MAX_BEFORE = 8
