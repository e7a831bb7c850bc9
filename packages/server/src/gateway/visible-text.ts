import { createRestorer, type Restorer, type ResultOptions } from '@toolglot/core'

/**
 * The text of a reply as a client is sent it. Marks that were made inert in the prompt, and that the model copied, are
 * restored. Line breaks between reasoning, text and calls are part of how a model writes these, not of the text.
 */
export class VisibleText {
  /** What the client was sent. */
  sent = ''
  /** Set once the model has reasoned. */
  hasReasoning = false
  readonly #options: ResultOptions
  #restorer: Restorer | undefined
  /** Held back until there is a call. */
  #held: string | undefined
  /** White space at the end of what was sent, as long as no text follows. */
  #space: string

  constructor(
    options: ResultOptions,
    {
      hold,
      isContinued,
    }: {
      readonly hold: boolean
      /** The client was sent other text before. */
      readonly isContinued: boolean
    },
  ) {
    this.#options = options
    this.#held = hold ? '' : undefined
    this.#space = isContinued ? '\n\n' : ''
  }

  /** Takes more of the text. Returns what the client is sent now. */
  add(delta: string): string {
    return this.#show((this.#restorer ??= createRestorer(this.#options)).feed(delta))
  }

  /** There is a call: returns what was held back. */
  release(): string {
    const rest = this.#restored()
    const text = (this.#held ?? '') + rest
    this.#held = undefined
    return this.#show(text)
  }

  /** Returns the rest. White space after calls is no part of it. */
  end(hasCalls: boolean): string {
    const text = this.release()
    if (hasCalls) return text
    const last = this.sent === '' && this.hasReasoning ? '' : this.#space
    this.sent += last
    return text + last
  }

  #restored(): string {
    const rest = this.#restorer?.end() ?? ''
    this.#restorer = undefined
    return rest
  }

  #show(text: string): string {
    if (text === '') return ''
    if (this.#held !== undefined) {
      this.#held += text
      return ''
    }
    const all = this.#space + text
    const end = all.trimEnd().length
    this.#space = all.slice(end)
    if (end === 0) return ''
    const from = this.sent === '' && this.hasReasoning ? all.length - all.trimStart().length : 0
    const shown = all.slice(from, end)
    this.sent += shown
    return shown
  }
}
