import { createRestorer, type Restorer, type ResultOptions } from '@toolglot/core'

/**
 * The text of a reply as a client is sent it. Marks that were made inert in the prompt, and that the model copied, are
 * restored. Line breaks between reasoning, text and calls are part of how a model writes these, not of the text.
 */
export class VisibleText {
  /** What the client was sent; of a long text, only the beginning. */
  sent = ''
  /** Set once the model has reasoned. */
  hasReasoning = false
  readonly #options: ResultOptions
  #restorer: Restorer | undefined
  /** Held back until there is a call. */
  #held: string[] | undefined
  /** White space at the end of what was sent, as long as no text follows: in pieces, because there may be any number. */
  #space: string[]

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
    this.#held = hold ? [] : undefined
    this.#space = isContinued ? ['\n\n'] : []
  }

  /** Takes more of the text. Returns what the client is sent now. */
  add(delta: string): string {
    return this.#show((this.#restorer ??= createRestorer(this.#options)).feed(delta))
  }

  /** There is a call: returns what was held back. */
  release(): string {
    const rest = this.#restored()
    const text = (this.#held?.join('') ?? '') + rest
    this.#held = undefined
    return this.#show(text)
  }

  /** Returns the rest. White space after calls is no part of it. */
  end(hasCalls: boolean): string {
    const text = this.release()
    if (hasCalls) return text
    const last = this.sent === '' && this.hasReasoning ? '' : this.#space.join('')
    this.#remember(last)
    return text + last
  }

  #restored(): string {
    const rest = this.#restorer?.end() ?? ''
    this.#restorer = undefined
    return rest
  }

  #show(text: string): string {
    if (text === '') return ''
    if (this.#held) {
      this.#held.push(text)
      return ''
    }
    const end = text.trimEnd().length
    if (end === 0) {
      this.#space.push(text)
      return ''
    }
    const all = this.#space.join('') + text.slice(0, end)
    this.#space = end < text.length ? [text.slice(end)] : []
    const shown = this.sent === '' && this.hasReasoning ? all.trimStart() : all
    this.#remember(shown)
    return shown
  }

  #remember(text: string): void {
    if (this.sent.length < MAX_SENT) this.sent += text
  }
}

/** A reply with a longer text is printed again when it comes back, as if it had been changed. */
const MAX_SENT = 64 << 10
